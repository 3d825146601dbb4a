package config

import (
	"encoding/binary"
	"fmt"
)

// Size is that of a configuration space in bytes.
const Size = 4096

// Space is the configuration space of a function.
type Space struct {
	value [Size]byte
	init  [Size]byte // after power-up
	rw    [Size]byte // bits that hold what is written
	clear [Size]byte // bits that a 1 clears
	keeps [Size]byte // bits that survive a function-level reset
}

// New makes the configuration space of a function after power-up. The error is
// that f is out of range.
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

// add enters a field into the masks.
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
	// A link does not change when the function behind it is reset.
	if f.Keeps || f.Kind == Fixed || f.Kind == Live {
		or(&s.keeps, mask)
	}
}

// DW is the DW at a multiple of 4 inside the space.
func (s *Space) DW(at int) uint32 { return binary.LittleEndian.Uint32(s.value[at:]) }

// word is the 16-bit register at an offset.
func (s *Space) word(at int) uint16 { return binary.LittleEndian.Uint16(s.value[at:]) }

// put sets the DW at a multiple of 4, as the function does.
func (s *Space) put(at int, v uint32) { binary.LittleEndian.PutUint32(s.value[at:], v) }

// SetDW writes the bytes of the DW at a multiple of 4 whose enables are set, a
// bit each, lowest first. It reports whether the write asks for a function-level
// reset; the space then waits for the call of [Space.FLR].
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
		*now = *now&^PowerState | state // D1 and D2 do not exist here
	}
	return flr
}

// Read fills p from byte at on. The error is that this leaves the space.
func (s *Space) Read(at int, p []byte) error {
	if err := check("read", at, len(p)); err != nil {
		return err
	}
	copy(p, s.value[at:])
	return nil
}

// Write writes p from byte at on, a DW after the other. Result and error are as
// for [Space.SetDW] and [Space.Read].
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

// FLR resets what a function-level reset resets: all but what is fixed, the link,
// and what has to outlast it (6.6.2).
func (s *Space) FLR() {
	for i := range s.value {
		s.value[i] = s.init[i]&^s.keeps[i] | s.value[i]&s.keeps[i]
	}
	s.SetPending(false)
}

// PowerOn sets all as it is after power-up, but for what [Space.SetLink] set.
func (s *Space) PowerOn() {
	generation, lanes := int(s.value[expressAt+LinkStatus]&0xf), int(s.word(expressAt+LinkStatus)>>4&0x3f)
	s.value = s.init
	s.SetLink(generation, lanes)
}
