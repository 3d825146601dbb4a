package memory_test

import (
	"fmt"
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/memory"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func describeReader(p arch.Params) hw.Generator[memory.HotSetReaderPorts] {
	return memory.HotSetReader{Banks: p.Banks, Sets: p.Sets(), Ways: p.Ways, TagBits: p.TagBits}
}

func describePacker(p arch.Params) hw.Generator[memory.HotSetPackerPorts] {
	return memory.HotSetPacker{Stream: p.Stream()}
}

func TestHotSetReader(t *testing.T) { dispatchtest.ForSizes(t, describeReader, checkReader) }
func TestHotSetPacker(t *testing.T) { dispatchtest.ForSizes(t, describePacker, checkPacker) }

// checkReader reads full, half full and almost empty EALs.
func checkReader(d *ir.Design, p arch.Params, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	tb, entry := sim.Bind[memory.HotSetReaderPorts](b.Sim, describeReader(p)), bench.PopOf[memory.HotEntry](b, "entry", p)
	scanned := dispatchtest.NewScanned(tb.Scan, p.Banks)
	for w := range p.Ways {
		tb.Scan.Blocks.N(w).Valid.Poke(1) // must be ignored: no set was asked for
	}
	for k, share := range []int{1, 1, 2, 100, 1 << 20} {
		t := dispatchtest.SomeBlocks(b.Rand, p, share)
		entry.Rate = []float64{0.1, 1, 0.7, 0.3, 1}[k]
		if err := dispatchtest.Pulse(b, tb.Start); err != nil {
			return err
		}
		for c := 0; tb.Busy.Peek() == 1; c++ {
			if c > 20*p.Blocks+100 {
				return fmt.Errorf("busy after %d cycles", c)
			}
			if err := b.Cycle(func() error { return scanned.Look(t) }); err != nil {
				return err
			}
			scanned.Show()
		}
		var got []arch.HotRow
		for _, it := range entry.Got[0] {
			got = append(got, arch.HotRow{ID: uint32(it[1]), Block: uint32(it[0])})
		}
		entry.Got[0] = nil
		if err := dispatchtest.Compare("entries", got, dispatch.HotEntries(p, t), dispatchtest.Equal); err != nil {
			return err
		}
		if n := int(tb.Entries.Peek()); n != len(got) {
			return fmt.Errorf("%d entries counted, want %d", n, len(got))
		}
	}
	return dispatchtest.Quiet(b)
}

// checkPacker packs hot sets of all sizes.
func checkPacker(d *ir.Design, p arch.Params, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	source, out := bench.PushOf[memory.HotEntry](b, "entry", p), dispatchtest.NewWriter(b, p)
	tb := sim.Bind[memory.HotSetPackerPorts](b.Sim, describePacker(p))
	for n := range 40 {
		source.Rate, out.Packet.Rate, out.Data.Rate = dispatchtest.Rate(b.Rand), dispatchtest.Rate(b.Rand), dispatchtest.Rate(b.Rand)
		addr := b.Rand.Uint64() &^ 63
		tb.Addr.Poke(addr)
		if err := dispatchtest.Pulse(b, tb.Start); err != nil {
			return err
		}
		tb.Addr.Poke(0)
		entries := make([]arch.HotRow, n)
		for i := range entries {
			entries[i] = arch.HotRow{ID: b.Rand.Uint32(), Block: b.Rand.Uint32()}
			source.Send(0, bench.Item{uint64(entries[i].Block), uint64(entries[i].ID)})
		}
		sent := source.Sent() + n
		for c := 0; source.Sent() < sent || tb.Idle.Peek() == 0; c++ {
			if c > 100*n+100 {
				return fmt.Errorf("%d entries: not idle after %d cycles", n, c)
			}
			tb.Finish.Poke(bench.Bit(source.Sent() == sent))
			if err := b.Cycle(); err != nil {
				return err
			}
		}
		tb.Finish.Poke(0)
		if err := out.Collect(); err != nil {
			return err
		}
		if err := dispatchtest.CompareWrites(out.Writes, dispatch.PackEntries(addr, entries)); err != nil {
			return fmt.Errorf("%d entries: %w", n, err)
		}
		out.Writes = nil
	}
	return dispatchtest.Quiet(b)
}
