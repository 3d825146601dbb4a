package arch

import "math"

// Slot is the content of a slot register: the table of one lookup of an input.
type Slot struct {
	Base        uint32 // id of row 0 of its table
	Table       int    // at most 255
	First, Last bool   // position among the slots of the table
}

// Positions of the fields of a slot register. The base is in the low 32 bits.
const (
	SlotTableLo  = 32 // table number, 8 bits
	SlotFirstBit = 40
	SlotLastBit  = 41
)

// Bits encodes the slot as the value of its register.
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

// SlotOf decodes the value of a slot register. It returns false if an undefined bit is set.
func SlotOf(v uint64) (Slot, bool) {
	s := Slot{Base: uint32(v & math.MaxUint32), Table: int(v >> SlotTableLo & 0xff), First: v>>SlotFirstBit&1 != 0, Last: v>>SlotLastBit&1 != 0}
	return s, v == s.Bits()
}
