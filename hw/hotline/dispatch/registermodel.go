package dispatch

import (
	"math"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// RegisterModel is what Registers holds.
type RegisterModel struct {
	p arch.Params

	TableBase                  []uint64    // address of row 0, by table
	SlotTable                  []arch.Slot // by slot
	Hot, Pooled, Grad, Mailbox []uint64    // base addresses, by GPU
	Slots, Tables              int         // L and T
	RowLog2, GPUs              int
	Scale                      float32
}

// NewRegisterModel is a model with all registers 0.
func NewRegisterModel(p arch.Params) *RegisterModel {
	bases := func() []uint64 { return make([]uint64, p.GPUs) }
	return &RegisterModel{p: p, TableBase: make([]uint64, p.Tables), SlotTable: make([]arch.Slot, p.Slots),
		Hot: bases(), Pooled: bases(), Grad: bases(), Mailbox: bases()}
}

// Write is s_wr. It tells whether there is a register of that index which can
// hold the value; if not nothing changes.
func (r *RegisterModel) Write(index, value uint64) bool {
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

// store keeps a base, which is the address of a word.
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
	return true
}

// writeScalar writes a register that is as wide as what it is for.
func (r *RegisterModel) writeScalar(index, value uint64) bool {
	to, width := map[uint64]*int{arch.RegSlots: &r.Slots, arch.RegTables: &r.Tables, arch.RegRowLog2: &r.RowLog2, arch.RegGPUs: &r.GPUs}[index],
		map[uint64]int{arch.RegSlots: slotsBits(r.p), arch.RegTables: tablesBits(r.p), arch.RegRowLog2: rowLog2Bits, arch.RegGPUs: gpusBits(r.p)}[index]
	switch {
	case index == arch.RegScale && value <= math.MaxUint32:
		r.Scale = math.Float32frombits(uint32(value))
	case to != nil && value>>width == 0:
		*to = int(value)
	default:
		return false
	}
	return true
}

// Bases are the ids of row 0 of the tables of the slots in use, as package
// lookup wants them.
func (r *RegisterModel) Bases() []uint32 {
	out := make([]uint32, r.Slots)
	for i := range out {
		out[i] = r.SlotTable[i].Base
	}
	return out
}

// slotsSound, rowSound and gpusSound tell whether registers are in range.
func (r *RegisterModel) slotsSound() bool { return r.Slots >= LeastSlots(r.p) && r.Slots <= r.p.Slots }

func (r *RegisterModel) rowSound() bool {
	return r.RowLog2 >= minRowLog2(r.p) && r.RowLog2 <= maxRowLog2(r.p)
}

func (r *RegisterModel) gpusSound() bool { return r.GPUs <= r.p.GPUs }
