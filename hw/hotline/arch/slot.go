package arch

import "math"

// Slot is what a slot register says of a lookup slot.
type Slot struct {
	Base        uint32 // id of row 0 of its table
	Table       int    // at most 255
	First, Last bool   // of the table's slots
}

// Fields of a slot register, beside the base in its low 32 bits.
const (
	SlotTableLo  = 32 // table number, 8 bits
	SlotFirstBit = 40
	SlotLastBit  = 41
)

// Bits is the value of the register.
func (s Slot) Bits() uint64 {
	v := uint64(s.Base) | uint64(s.Table)<<SlotTableLo
	if s.First {
		v |= 1 << SlotFirstBit
	}
	if s.Last {
		v |= 1 << SlotLastBit
	}
	return v
}

// SlotOf takes the value of a slot register apart. It is false if a bit is set that
// has no meaning.
func SlotOf(v uint64) (Slot, bool) {
	s := Slot{Base: uint32(v & math.MaxUint32), Table: int(v >> SlotTableLo & 0xff), First: v>>SlotFirstBit&1 != 0, Last: v>>SlotLastBit&1 != 0}
	return s, v == s.Bits()
}
