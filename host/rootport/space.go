package rootport

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/vfiouser"
)

// space is a configuration space with as little as a client needs: type 0 header,
// PCI Express and MSI-X capabilities. A write changes the bits in mask.
type space struct {
	value, initial, mask [vfiouser.ConfigSize]byte
}

// Registers.
const (
	regCommand  = 0x04
	regBAR0     = 0x10
	express     = 0x40
	regControl  = express + 8
	msix        = 0x80
	busMaster   = 1 << 2
	flr         = 1 << 15
	deviceID    = 0x484c1234
	accelerator = 0x12000000 // class and revision
)

func newSpace(cfg Config) *space {
	s := &space{}
	for _, r := range []struct {
		at          int
		value, mask uint32
	}{
		{0x00, deviceID, 0},
		{regCommand, 1 << 20, 0x0547}, // it has capabilities
		{0x08, accelerator, 0},
		{regBAR0, 0, ^uint32(cfg.Endpoint.BAR.Size - 1)},
		{0x2c, deviceID, 0},
		{0x34, express, 0},
		{0x3c, 0, 0xff},
		{express, 0x10 | msix<<8 | 0x0002<<16, 0},  // endpoint, version 2
		{express + 4, 1<<28 | 1<<15 | 1<<5 | 1, 0}, // FLR, role-based errors, extended tags, MPS 256
		{regControl, 0x2810, 0x7fff},               // without the bit of FLR
		{express + 0xc, uint32(cfg.Link.Lanes<<4 | cfg.Link.Generation), 0}, // link capabilities
		{express + 0x10, uint32(cfg.Link.Lanes<<4|cfg.Link.Generation) << 16, 0x00c8},
		{msix, 0x11 | (link.Vectors-1)<<16, 0xc0000000},
		{msix + 4, uint32(cfg.Endpoint.MSIXOffset), 0},
		{msix + 8, uint32(cfg.Endpoint.MSIXOffset) + link.MSIXPending, 0},
	} {
		binary.LittleEndian.PutUint32(s.initial[r.at:], r.value)
		binary.LittleEndian.PutUint32(s.mask[r.at:], r.mask)
	}
	s.reset()
	return s
}

func (s *space) reset() { s.value = s.initial }

// write writes what may be written, and tells whether it asks for a function-level
// reset.
func (s *space) write(offset int, p []byte) bool {
	asked := false
	for i, b := range p {
		at := offset + i
		s.value[at] = s.value[at]&^s.mask[at] | b&s.mask[at]
		asked = asked || at == regControl+1 && b&(flr>>8) != 0
	}
	return asked
}

// configSpace is the space of a port's card as a client sees it.
type configSpace struct{ p *Port }

// Config implements vfiouser.Device.
func (p *Port) Config() vfiouser.ConfigSpace { return configSpace{p} }

// Read implements vfiouser.ConfigSpace.
func (c configSpace) Read(offset int, b []byte) {
	c.p.do(func() { copy(b, c.p.space.value[offset:]) })
}

// Write implements vfiouser.ConfigSpace. The card obeys bus master and FLR.
func (c configSpace) Write(offset int, b []byte) {
	c.p.do(func() {
		if c.p.space.write(offset, b) {
			c.p.space.reset()
			c.p.replace()
			return
		}
		e := c.p.slot.card.Endpoint()
		s := e.Straps()
		s.BusMaster = c.p.space.value[regCommand]&busMaster != 0
		_ = e.SetStraps(s) // this one may always change
	})
}
