package dispatch

import (
	"math"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
)

// RegisterModel is the reference of address.Registers.
type RegisterModel struct {
	p arch.Params

	TableBase                  []uint64    // address of row 0, by table
	SlotTable                  []arch.Slot // by slot
	Hot, Pooled, Grad, Mailbox []uint64    // base addresses, by GPU
	Slots, Tables              int         // registers L and T
	RowLog2, GPUs              int
	Scale                      float32

	given map[uint64]bool // address and slot registers that have been written
	named map[int]bool    // tables that a slot refers to
}

// NewRegisterModel returns a model in which all registers are 0.
func NewRegisterModel(p arch.Params) *RegisterModel {
	bases := func() []uint64 { return make([]uint64, p.GPUs) }
	return &RegisterModel{p: p, TableBase: make([]uint64, p.Tables), SlotTable: make([]arch.Slot, p.Slots),
		Hot: bases(), Pooled: bases(), Grad: bases(), Mailbox: bases(), given: map[uint64]bool{}, named: map[int]bool{}}
}

// Write executes s_wr. It reports whether the register exists and the value is in its range. If
// not, no register changes.
func (r *RegisterModel) Write(index, value uint64) bool {
	ok := r.write(index, value)
	if ok {
		r.given[index] = true
	}
	return ok
}

func (r *RegisterModel) write(index, value uint64) bool {
	switch {
	case index < arch.RegSlot:
		return store(r.TableBase, index-arch.RegTable, value)
	case index < arch.RegHot:
		return r.writeSlot(index-arch.RegSlot, value)
	case index < arch.RegPooled:
		return store(r.Hot, index-arch.RegHot, value)
	case index < arch.RegGrad:
		return store(r.Pooled, index-arch.RegPooled, value)
	case index < arch.RegMailbox:
		return store(r.Grad, index-arch.RegGrad, value)
	case index < arch.RegSlots:
		return store(r.Mailbox, index-arch.RegMailbox, value)
	}
	return r.writeScalar(index, value)
}

// store stores a base address, which must be word-aligned.
func store(to []uint64, i, value uint64) bool {
	if i >= uint64(len(to)) || value%4 != 0 {
		return false
	}
	to[i] = value
	return true
}

func (r *RegisterModel) writeSlot(i, value uint64) bool {
	s, ok := arch.SlotOf(value)
	if !ok || i >= uint64(len(r.SlotTable)) || s.Base>>r.p.IDBits() != 0 || s.Table >= r.p.Tables {
		return false
	}
	r.SlotTable[i] = s
	r.named[s.Table] = true
	return true
}

// writeScalar writes a register that is not part of an array.
func (r *RegisterModel) writeScalar(index, value uint64) bool {
	store := func(to *int, least, most int) bool {
		ok := value >= uint64(least) && value <= uint64(most)
		if ok {
			*to = int(value)
		}
		return ok
	}
	switch index {
	case arch.RegSlots:
		return store(&r.Slots, LeastSlots(r.p), r.p.Slots)
	case arch.RegTables:
		return store(&r.Tables, 0, r.p.Tables)
	case arch.RegRowLog2:
		return store(&r.RowLog2, sizes.LeastRowLog2(r.p.Stream()), sizes.MostRowLog2(r.p.VectorValues))
	case arch.RegGPUs:
		return store(&r.GPUs, 0, r.p.GPUs)
	case arch.RegScale:
		if value <= math.MaxUint32 {
			r.Scale = math.Float32frombits(uint32(value))
			return true
		}
	}
	return false
}

// SlotsGiven reports whether all slots in use have been written.
func (r *RegisterModel) SlotsGiven() bool { return r.givenFrom(arch.RegSlot, r.Slots) }

// GPUsGiven reports whether a base has been written for all GPUs in use. first is the first
// register of that kind of base.
func (r *RegisterModel) GPUsGiven(first uint64) bool { return r.givenFrom(first, r.GPUs) }

// SlotTablesGiven reports whether every table that a slot refers to has an address.
func (r *RegisterModel) SlotTablesGiven() bool {
	for t := range r.named {
		if !r.Given(arch.RegTable + uint64(t)) {
			return false
		}
	}
	return true
}

// Given reports whether a register has been written.
func (r *RegisterModel) Given(index uint64) bool { return r.given[index] }

// givenFrom reports whether n registers starting at first have been written.
func (r *RegisterModel) givenFrom(first uint64, n int) bool {
	for i := range uint64(n) {
		if !r.given[first+i] {
			return false
		}
	}
	return true
}

// Bases returns, for each slot in use, the id of row 0 of its table, in the form that package
// lookup expects.
func (r *RegisterModel) Bases() []uint32 {
	out := make([]uint32, r.Slots)
	for i := range out {
		out[i] = r.SlotTable[i].Base
	}
	return out
}
