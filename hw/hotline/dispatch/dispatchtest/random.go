package dispatchtest

import (
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
)

// Rate returns a random probability, often 1.
func Rate(r *rand.Rand) float64 {
	return []float64{1, 1, 0.7, 0.3}[r.IntN(4)]
}

// Addresses returns n random base addresses.
func Addresses(r *rand.Rand, n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = r.Uint64() &^ 3 // address registers require word alignment
	}
	return out
}

// RandomRegisters returns registers with random legal values. Tables are assigned to slots at
// random.
func RandomRegisters(r *rand.Rand, p arch.Params) *dispatch.RegisterModel {
	m, n := dispatch.NewRegisterModel(p), dispatch.LeastSlots(p)
	m.TableBase = Addresses(r, p.Tables)
	m.Hot, m.Pooled, m.Grad, m.Mailbox = Addresses(r, p.GPUs), Addresses(r, p.GPUs), Addresses(r, p.GPUs), Addresses(r, p.GPUs)
	m.Slots = n + r.IntN(p.Slots-n+1)
	m.Tables, m.GPUs, m.Scale = 1+r.IntN(p.Tables), 1+r.IntN(p.GPUs), r.Float32()
	least, most := sizes.LeastRowLog2(p.Stream()), sizes.MostRowLog2(p.VectorValues)
	m.RowLog2 = least + r.IntN(most-least+1)
	for s := range m.SlotTable {
		m.SlotTable[s] = arch.Slot{Base: r.Uint32() >> (32 - p.IDBits()), Table: r.IntN(m.Tables), First: r.IntN(2) == 0, Last: r.IntN(2) == 0}
	}
	return m
}

// AllRegisters returns random registers that use all tables, slots and GPUs. Each lookup is the
// only one of its table's pooled vector. The first slot has the last table.
func AllRegisters(r *rand.Rand, p arch.Params) *dispatch.RegisterModel {
	m := RandomRegisters(r, p)
	m.Slots, m.Tables, m.GPUs = p.Slots, p.Tables, p.GPUs
	for s := range m.SlotTable {
		m.SlotTable[s].Table, m.SlotTable[s].First, m.SlotTable[s].Last = p.Tables-1-s%p.Tables, true, true
	}
	return m
}

// MostRegisters returns such registers with the maximum number of inputs and the longest rows, all
// assigned to one GPU. They produce the largest offsets.
func MostRegisters(r *rand.Rand, p arch.Params) *dispatch.RegisterModel {
	m := AllRegisters(r, p)
	m.Slots, m.GPUs, m.RowLog2 = dispatch.LeastSlots(p), 1, sizes.MostRowLog2(p.VectorValues)
	return m
}

// SomeBlocks returns a tracker in which one block in share is valid, and most sets have changed.
func SomeBlocks(r *rand.Rand, p arch.Params, share int) *eal.Tracker {
	t := eal.NewTracker(p)
	for bank := range p.Banks {
		for row := range p.BankSets() {
			set := t.Set(bank, row)
			*t.Changed(bank, row) = r.IntN(4) > 0
			for w := range set {
				set[w] = eal.Entry{Valid: r.IntN(share) == 0, RRPV: eal.RRPV(r.IntN(4)), Tag: r.Uint32() >> (32 - p.TagBits)}
			}
		}
	}
	return t
}
