package dispatch

import (
	"fmt"
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

func describeEDRAM(p arch.Params) hw.Generator[EDRAMPorts] { return EDRAM{p} }

func TestEDRAM(t *testing.T) { forSizes(t, describeEDRAM, checkEDRAM) }

// clearEDRAM loads zeros everywhere and has every bank read one.
func clearEDRAM(b *bench.Bench, pin pins, p arch.Params) error {
	pin.set("load_valid", 1)
	for half := range 2 {
		for at := range p.BankWords() / 2 * parts(p) {
			pin.set("load_dest", uint64(half<<(edramRowBits(p)-1)*parts(p)+at))
			if err := b.Cycle(); err != nil {
				return err
			}
		}
	}
	pin.set("load_valid", 0)
	pin.set("fetch_enable", 1)
	return b.Cycle()
}

// checkEDRAM loads, fetches and looks up at random, sometimes at the same time.
func checkEDRAM(d *ir.Design, p arch.Params, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	pin := pinsOf(b)
	if err := clearEDRAM(b, pin, p); err != nil {
		return err
	}
	row := func() uint64 { return b.Rand.Uint64N(2)<<(edramRowBits(p)-1) | b.Rand.Uint64N(uint64(p.BankWords()/2)) }
	words := make([][]uint64, 1<<edramRowBits(p)) // by row and bank
	for i := range words {
		words[i] = make([]uint64, p.Engines)
	}
	held := make([]uint64, p.Engines)
	perPart := p.Engines / parts(p)
	for range 1500 {
		load, fetch := b.Rand.IntN(2) == 0, b.Rand.IntN(4) == 0
		part, loadRow, fetchRow := b.Rand.IntN(parts(p)), row(), row()
		beat, rows := make([]uint64, perPart), make([]uint64, p.Engines)
		for i := range beat {
			beat[i] = uint64(b.Rand.Uint32())
		}
		for i := range rows {
			rows[i] = row()
		}
		lookup := b.Rand.Uint64() >> (64 - p.Engines)
		pin["load_valid"].SetBool(load)
		pin.set("load_dest", loadRow*uint64(parts(p))+uint64(part))
		pin.elements("load_data", wordBits, beat)
		pin["fetch_enable"].SetBool(fetch)
		pin.set("fetch_row", fetchRow)
		pin.set("lookup_enable", lookup)
		pin.elements("lookup_row", edramRowBits(p), rows)
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
			if got := pin.lane("data", i, wordBits); got != held[i] {
				return fmt.Errorf("bank %d: %#x, want %#x", i, got, held[i])
			}
		}
	}
	return nil
}
