package config

import (
	"encoding/binary"
	"fmt"
)

// Size is the size of a configuration space in bytes.
const Size = 4096

// Space is the configuration space of a function.
type Space struct {
	value [Size]byte
	init  [Size]byte // values after power-up
	rw    [Size]byte // writable bits
	clear [Size]byte // bits cleared by writing 1
	keeps [Size]byte // bits that survive a function-level reset
}

// New returns the configuration space of a function after power-up. It fails if a field of f is out
// of range.
func New(f Function) (*Space, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	s := &Space{}
	for _, r := range Registers(f) {
		for _, field := range r.Fields {
			s.add(r, field)
		}
	}
	s.value = s.init
	return s, nil
}

// add adds a field to the masks.
func (s *Space) add(r Register, f Field) {
	or := func(to *[Size]byte, v uint64) {
		for i := range r.Size {
			to[r.Offset+i] |= byte(v >> (8 * i))
		}
	}
	mask := (uint64(1)<<f.Bits - 1) << f.Low
	or(&s.init, f.Init<<f.Low)
	switch f.Kind {
	case Written:
		or(&s.rw, mask)
	case Cleared:
		or(&s.clear, mask)
	}
	// A reset of the function does not change the link.
	if f.Keeps || f.Kind == Fixed || f.Kind == Live {
		or(&s.keeps, mask)
	}
}

// DW returns the DW at offset at, a multiple of 4 inside the space.
func (s *Space) DW(at int) uint32 { return binary.LittleEndian.Uint32(s.value[at:]) }

// word returns the 16-bit register at an offset.
func (s *Space) word(at int) uint16 { return binary.LittleEndian.Uint16(s.value[at:]) }

// put sets the DW at offset at, a multiple of 4, on behalf of the function.
func (s *Space) put(at int, v uint32) { binary.LittleEndian.PutUint32(s.value[at:], v) }

// SetDW writes the enabled bytes of the DW at offset at, a multiple of 4. Bit i of enables selects
// byte i. It reports whether the write requests a function-level reset; the caller must then call
// [Space.FLR].
func (s *Space) SetDW(at int, v uint32, enables uint8) (flr bool) {
	state := s.value[powerAt+PowerControl] & PowerState
	for i := range 4 {
		if enables>>i&1 == 0 {
			continue
		}
		b, p := byte(v>>(8*i)), at+i
		s.value[p] = (s.value[p]&^s.rw[p] | b&s.rw[p]) &^ (b & s.clear[p])
		if p == expressAt+DeviceControl+1 && b&(DeviceFLR>>8) != 0 {
			flr = true
		}
	}
	if now := &s.value[powerAt+PowerControl]; *now&PowerState != 0 && *now&PowerState != D3hot {
		*now = *now&^PowerState | state // D1 and D2 are not implemented
	}
	return flr
}

// Read copies bytes starting at offset at into p. It fails if the range exceeds the space.
func (s *Space) Read(at int, p []byte) error {
	if err := check("read", at, len(p)); err != nil {
		return err
	}
	copy(p, s.value[at:])
	return nil
}

// Write writes p starting at offset at, one DW after another. It reports whether the write requests
// a function-level reset, as [Space.SetDW] does. It fails if the range exceeds the space.
func (s *Space) Write(at int, p []byte) (flr bool, err error) {
	if err := check("write", at, len(p)); err != nil {
		return false, err
	}
	for i := 0; i < len(p); {
		var v uint32
		var enables uint8
		dw := (at + i) &^ 3
		for ; i < len(p) && at+i < dw+4; i++ {
			lane := at + i - dw
			v |= uint32(p[i]) << (8 * lane)
			enables |= 1 << lane
		}
		flr = s.SetDW(dw, v, enables) || flr
	}
	return flr, nil
}

func check(op string, at, n int) error {
	if at < 0 || at > Size || n > Size-at {
		return fmt.Errorf("config: %s of %d bytes at %#x, expected all of them below %#x", op, n, at, Size)
	}
	return nil
}

// FLR performs a function-level reset. It resets everything except fixed bits, the link, and bits
// that survive the reset (6.6.2).
func (s *Space) FLR() {
	for i := range s.value {
		s.value[i] = s.init[i]&^s.keeps[i] | s.value[i]&s.keeps[i]
	}
	s.SetPending(false)
}

// PowerOn restores the state after power-up, except for the settings of [Space.SetLink].
func (s *Space) PowerOn() {
	generation, lanes := int(s.value[expressAt+LinkStatus]&0xf), int(s.word(expressAt+LinkStatus)>>4&0x3f)
	s.value = s.init
	s.SetLink(generation, lanes)
}
