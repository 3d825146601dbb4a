package dispatchtest

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// Pulse runs one cycle in which a bit is 1.
func Pulse(b *bench.Bench, bit hw.Bits) error {
	bit.Poke(1)
	err := b.Cycle()
	bit.Poke(0)
	return err
}

// Elements returns the elements of an array. Looking up an element takes longer than a cycle, so
// tests keep the result.
func Elements[T any](a hw.Array[T]) []T {
	out := make([]T, a.Len())
	for i := range out {
		out[i] = a.N(i)
	}
	return out
}

// Lanes returns the elements of a vector, for the same reason.
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

// Quiet checks that no register changes while nothing arrives.
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

// Scanned is the EAL's end of a scan: it answers with the sets of a tracker.
type Scanned struct {
	scan    eal.Scan
	banks   int
	row     int // set number that was read last
	changed uint64
	blocks  []eal.Entry
}

// NewScanned returns the EAL's end of a scan.
func NewScanned(scan eal.Scan, banks int) *Scanned { return &Scanned{scan: scan, banks: banks} }

// Look samples the request of the current cycle.
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

// Show drives the answer in the next cycle. The changed flags are visible for one cycle only.
func (s *Scanned) Show() {
	s.scan.Changed.Poke(s.changed)
	for w, b := range s.blocks {
		block := s.scan.Blocks.N(w)
		block.Valid.Poke(bench.Bit(b.Valid))
		block.RRPV.Poke(b.RRPV)
		block.Tag.Poke(uint64(b.Tag))
	}
}
