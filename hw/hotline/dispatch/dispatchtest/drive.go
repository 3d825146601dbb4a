package dispatchtest

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// Pulse runs a cycle with a bit at 1.
func Pulse(b *bench.Bench, bit hw.Bits) error {
	bit.Poke(1)
	err := b.Cycle()
	bit.Poke(0)
	return err
}

// Elements are those of an array. To find one anew takes longer than a cycle does.
func Elements[T any](a hw.Array[T]) []T {
	out := make([]T, a.Len())
	for i := range out {
		out[i] = a.N(i)
	}
	return out
}

// Lanes are the elements of a vector, likewise.
func Lanes(v hw.Vec) []hw.Bits {
	out := make([]hw.Bits, v.Len())
	for i := range out {
		out[i] = v.N(i)
	}
	return out
}

// Poke drives the elements of a vector.
func Poke(v hw.Vec, xs []uint64) {
	for i, x := range xs {
		v.N(i).Poke(x)
	}
}

// Quiet expects that nothing changes while nothing arrives.
func Quiet(b *bench.Bench) error {
	for range 2 {
		if err := b.Sim.Step(); err != nil {
			return err
		}
	}
	if !b.Sim.Quiet() {
		return fmt.Errorf("registers change while nothing arrives")
	}
	return nil
}

// Scanned is what an EAL that is scanned shows.
type Scanned struct {
	scan    eal.Scan
	banks   int
	row     int // that was read
	changed uint64
	blocks  []eal.Entry
}

// NewScanned stands at the other end of a scan.
func NewScanned(scan eal.Scan, banks int) *Scanned { return &Scanned{scan: scan, banks: banks} }

// Look takes what is asked for in this cycle.
func (s *Scanned) Look(t *eal.Tracker) error {
	s.changed, s.blocks = 0, nil
	if s.scan.Valid.Peek() == 1 {
		s.row = int(s.scan.Set.Peek())
		for bank := range s.banks {
			s.changed |= bench.Bit(*t.Changed(bank, s.row)) << bank
		}
	}
	if s.scan.Show.Peek() == 1 {
		bank := int(s.scan.Bank.Peek())
		if s.scan.Valid.Peek() == 1 || !*t.Changed(bank, s.row) {
			return fmt.Errorf("the set %d of bank %d is to be shown, and has not changed or is not there", s.row, bank)
		}
		s.blocks = t.Set(bank, s.row)
	}
	return nil
}

// Show shows it in the next. Which sets have changed is seen for a cycle only.
func (s *Scanned) Show() {
	s.scan.Changed.Poke(s.changed)
	for w, b := range s.blocks {
		block := s.scan.Blocks.N(w)
		block.Valid.Poke(bench.Bit(b.Valid))
		block.RRPV.Poke(b.RRPV)
		block.Tag.Poke(uint64(b.Tag))
	}
}
