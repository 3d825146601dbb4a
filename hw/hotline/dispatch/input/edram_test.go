package input_test

import (
	"fmt"
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/input"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func describeEDRAM(p arch.Params) hw.Generator[input.EDRAMPorts] {
	return input.EDRAM{Beats: sizes.BeatsOf(p)}
}

func TestEDRAM(t *testing.T) { dispatchtest.ForSizes(t, describeEDRAM, checkEDRAM) }

// clearEDRAM writes zeros everywhere, and then reads a word from every bank.
func clearEDRAM(b *bench.Bench, tb input.EDRAMPorts, p sizes.Beats) error {
	tb.Load.Valid.Poke(1)
	for half := range 2 {
		for at := range p.HalfRows() * p.Parts() {
			tb.Load.Data.Dest.Poke(uint64(half<<(p.AddressBits()-1)*p.Parts() + at))
			if err := b.Cycle(); err != nil {
				return err
			}
		}
	}
	tb.Load.Valid.Poke(0)
	tb.Fetch.Enable.Poke(1)
	return b.Cycle()
}

// checkEDRAM loads, fetches and looks up at random, sometimes in the same cycle.
func checkEDRAM(d *ir.Design, p arch.Params, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	tb, k := sim.Bind[input.EDRAMPorts](b.Sim, describeEDRAM(p)), sizes.BeatsOf(p)
	if err := clearEDRAM(b, tb, k); err != nil {
		return err
	}
	row := func() uint64 { return b.Rand.Uint64N(2)<<(k.AddressBits()-1) | b.Rand.Uint64N(uint64(k.HalfRows())) }
	words := make([][]uint64, 1<<k.AddressBits()) // by row and bank
	for i := range words {
		words[i] = make([]uint64, p.Engines)
	}
	loadData := b.Pin("load_data")
	held := make([]uint64, p.Engines)
	perPart := p.Engines / k.Parts()
	for range 1500 {
		load, fetch := b.Rand.IntN(2) == 0, b.Rand.IntN(4) == 0
		part, loadRow, fetchRow := b.Rand.IntN(k.Parts()), row(), row()
		beat, rows := make([]uint64, perPart), make([]uint64, p.Engines)
		for i := range beat {
			beat[i] = uint64(b.Rand.Uint32())
		}
		for i := range rows {
			rows[i] = row()
		}
		lookup := b.Rand.Uint64() >> (64 - p.Engines)
		tb.Load.Valid.Poke(bench.Bit(load))
		tb.Load.Data.Dest.Poke(loadRow*uint64(k.Parts()) + uint64(part))
		loadData.SetWords(words64(beat))
		tb.Fetch.Enable.Poke(bench.Bit(fetch))
		tb.Fetch.Row.Poke(fetchRow)
		for i, row := range rows {
			tb.Lookup.N(i).Enable.Poke(lookup >> i & 1)
			tb.Lookup.N(i).Row.Poke(row)
		}
		if err := b.Cycle(); err != nil {
			return err
		}
		for i := range held {
			switch {
			case load && i/perPart == part:
				words[loadRow][i] = beat[i%perPart]
			case fetch:
				held[i] = words[fetchRow][i]
			case lookup>>i&1 != 0:
				held[i] = words[rows[i]][i]
			}
			if got := tb.Data.N(i).Peek(); got != held[i] {
				return fmt.Errorf("bank %d: %#x, want %#x", i, got, held[i])
			}
		}
	}
	return nil
}

// words64 packs words of the eDRAM into words of 64 bits.
func words64(words []uint64) []uint64 {
	out := make([]uint64, len(words)/2)
	for i := range out {
		out[i] = words[2*i] | words[2*i+1]<<32
	}
	return out
}
