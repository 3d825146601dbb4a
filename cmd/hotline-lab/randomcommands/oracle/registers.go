package oracle

import (
	"math"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// registers contains the values that s_wr has written since the reset.
type registers map[uint64]uint64

// has reports whether n registers from first on have been written.
func (r registers) has(first, n uint64) bool {
	for i := range n {
		if _, ok := r[first+i]; !ok {
			return false
		}
	}
	return true
}

// holds reports whether the register exists and the value is in its range.
func holds(p arch.Params, reg, value uint64) bool {
	in := func(first uint64, count int) bool { return reg >= first && reg < first+uint64(count) }
	among := func(least, most int) bool { return value >= uint64(least) && value <= uint64(most) }
	switch {
	case in(RegTable, p.Tables), in(RegHot, p.GPUs), in(RegPooled, p.GPUs), in(RegGrad, p.GPUs), in(RegMailbox, p.GPUs):
		return value%4 == 0
	case in(RegSlot, p.Slots):
		return value>>42 == 0 && value>>32&0xFF < uint64(p.Tables) && value&math.MaxUint32 < 1<<p.IDBits()
	case reg == RegSlots:
		return among(p.Engines/4, p.Slots)
	case reg == RegTables:
		return among(0, p.Tables)
	case reg == RegRowLog2:
		return among(arch.Log2(p.StreamBytes()), arch.Log2(4*p.VectorValues))
	case reg == RegGPUs:
		return among(0, p.GPUs)
	case reg == RegScale:
		return among(0, math.MaxUint32)
	}
	return false
}

func (r registers) slots() uint64  { return r[RegSlots] }
func (r registers) gpus() uint64   { return r[RegGPUs] }
func (r registers) tables() uint64 { return r[RegTables] }

// rowBytes returns the size of a row.
func (r registers) rowBytes() uint64 { return 1 << r[RegRowLog2] }

// slot is a decoded slot register.
type slot struct {
	id          uint32
	table       uint64
	first, last bool
}

func (r registers) slot(s int) slot {
	v := r[RegSlot+uint64(s)]
	return slot{uint32(v), v >> 32 & 0xFF, v>>40&1 == 1, v>>41&1 == 1}
}
