//go:build linux

package vfiouser

import "syscall"

// Region indices; 0 to 5 are the BARs.
const (
	regionROM    = 6
	regionConfig = 7
	regions      = 9
)

// Bits of device and region descriptions.
const (
	infoReset   = 1
	infoPCI     = 2
	regionRead  = 1
	regionWrite = 2
)

// regionSize returns the size of a region in bytes, 0 for a missing region.
func (s *Server) regionSize(index uint32) uint64 {
	switch {
	case index == regionConfig:
		return ConfigSize
	case index < regionROM:
		return s.device.BARs()[index]
	}
	return 0
}

// info answers GetInfo.
func (s *session) info(m *message) ([][]byte, error) {
	if len(m.body) < infoBytes || le.Uint32(m.body) < infoBytes {
		return nil, syscall.EINVAL
	}
	return [][]byte{packed(infoBytes, infoReset|infoPCI, regions, indices)}, nil
}

// regionInfo describes a region. No region can be mapped, because accesses have effects.
func (s *session) regionInfo(m *message) ([][]byte, error) {
	if len(m.body) < regionBytes || le.Uint32(m.body) < regionBytes {
		return nil, syscall.EINVAL
	}
	index := le.Uint32(m.body[8:])
	if index >= regions {
		return nil, syscall.EINVAL
	}
	size, flags := s.server.regionSize(index), uint32(0)
	if size > 0 {
		flags = regionRead | regionWrite
	}
	return [][]byte{packed(regionBytes, flags, index, 0), le.AppendUint64(nil, size), le.AppendUint64(nil, 0)}, nil
}

// regionAccess is a decoded access to a region.
type regionAccess struct {
	offset        uint64
	region, count uint32
}

// checkAccess decodes an access and checks that it stays inside its region.
func (s *session) checkAccess(m *message) (regionAccess, error) {
	if len(m.body) < accessBytes {
		return regionAccess{}, syscall.EINVAL
	}
	a := regionAccess{le.Uint64(m.body), le.Uint32(m.body[8:]), le.Uint32(m.body[12:])}
	size := s.server.regionSize(a.region)
	if a.count == 0 || a.count > maxTransfer || a.offset > size || uint64(a.count) > size-a.offset {
		return regionAccess{}, syscall.EINVAL
	}
	return a, nil
}

func (s *session) regionRead(m *message) ([][]byte, error) {
	a, err := s.checkAccess(m)
	if err != nil || len(m.body) != accessBytes {
		return nil, syscall.EINVAL
	}
	data := make([]byte, a.count)
	if a.region == regionConfig {
		s.server.device.Config().Read(int(a.offset), data)
	} else {
		s.server.device.ReadBAR(int(a.region), a.offset, data)
	}
	return [][]byte{access(a.offset, a.region, a.count), data}, nil
}

func (s *session) regionWrite(m *message) ([][]byte, error) {
	a, err := s.checkAccess(m)
	if err != nil || len(m.body) != accessBytes+int(a.count) {
		return nil, syscall.EINVAL
	}
	data := m.body[accessBytes:]
	if a.region == regionConfig {
		s.server.device.Config().Write(int(a.offset), data)
	} else {
		s.server.device.WriteBAR(int(a.region), a.offset, data)
	}
	return [][]byte{access(a.offset, a.region, a.count)}, nil
}

// reset resets the device. Pending interrupts are cleared, eventfds stay attached.
func (s *session) reset(m *message) ([][]byte, error) {
	if len(m.body) != 0 {
		return nil, syscall.EINVAL
	}
	s.server.device.Reset()
	s.forgetInterrupts()
	return nil, nil
}
