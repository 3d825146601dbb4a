package oracle

import (
	"math/bits"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// registers are those of s_wr.
type registers map[uint64]uint64

// width is that of a register, and whether it is an address; 0 if there is none.
func width(p arch.Params, reg uint64) (n int, address bool) {
	in := func(first uint64, count int) bool { return reg >= first && reg < first+uint64(count) }
	upTo := func(greatest int) int { return bits.Len(uint(greatest)) }
	switch {
	case in(RegTable, p.Tables), in(RegHot, p.GPUs), in(RegPooled, p.GPUs), in(RegGrad, p.GPUs), in(RegMailbox, p.GPUs):
		return 64, true
	case in(RegSlot, p.Slots):
		return 42, false
	case reg == RegSlots:
		return upTo(p.Slots), false
	case reg == RegTables:
		return upTo(p.Tables), false
	case reg == RegRowLog2:
		return 4, false
	case reg == RegGPUs:
		return upTo(p.GPUs), false
	case reg == RegScale:
		return 32, false
	}
	return 0, false
}

// holds tells whether the register exists and can hold the value.
func holds(p arch.Params, reg, value uint64) bool {
	n, address := width(p, reg)
	return n > 0 && value>>(n-1)>>1 == 0 && !(address && value%4 != 0)
}

func (r registers) slots() uint64  { return r[RegSlots] }
func (r registers) gpus() uint64   { return r[RegGPUs] }
func (r registers) tables() uint64 { return r[RegTables] }

// rowBytes is the size of a row.
func (r registers) rowBytes() uint64 { return 1 << r[RegRowLog2] }

// slot is the register of a lookup slot, in parts.
type slot struct {
	id          uint32
	table       uint64
	first, last bool
}

func (r registers) slot(s int) slot {
	v := r[RegSlot+uint64(s)]
	return slot{uint32(v), v >> 32 & 0xFF, v>>40&1 == 1, v>>41&1 == 1}
}
