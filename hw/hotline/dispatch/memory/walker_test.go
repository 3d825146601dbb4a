package memory_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/memory"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func describeWalker(p arch.Params) hw.Generator[memory.WalkerPorts] {
	return memory.Walker{Beats: sizes.BeatsOf(p), SlotNumbers: sizes.SlotNumbers{Slots: p.Slots}, VectorValues: p.VectorValues}
}

func TestWalker(t *testing.T) { dispatchtest.ForSizes(t, describeWalker, checkWalker) }

// walked is an item of a Walker.
type walked struct {
	next, end    bool
	slot, number int
}

func walkedOf(it bench.Item) walked {
	return walked{next: it[0] == 1, end: it[1] == 1, slot: int(it[2]), number: int(it[3])}
}

func (x walked) item() bench.Item {
	return bench.Item{bench.Bit(x.next), bench.Bit(x.end), uint64(x.slot), uint64(x.number)}
}

// lookupsOf returns the expected items of the given inputs, in groups.
func lookupsOf(inputs []int, slots, group int) []walked {
	var out []walked
	for side := range slices.Chunk(inputs, group) {
		for s := range slots {
			for k, i := range side {
				out = append(out, walked{k < len(side)-1, s == slots-1, s, i*slots + s})
			}
		}
	}
	return out
}

// checkWalker walks over bitmaps and lists of all sizes.
func checkWalker(d *ir.Design, p arch.Params, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	g := describeWalker(p)
	w := walking{Bench: b, p: p, k: sizes.BeatsOf(p), tb: sim.Bind[memory.WalkerPorts](b.Sim, g), item: bench.PopOf[memory.Item](b, "item", g), line: b.Pin("line_bits")}
	w.lines = make([][]uint64, 1<<w.k.LineBits())
	for k := range 30 {
		w.item.Rate = dispatchtest.Rate(b.Rand)
		slots := w.k.LeastSlots() + b.Rand.IntN(p.Slots-w.k.LeastSlots()+1)
		share := []int{2, 8, 1 << 20}[b.Rand.IntN(3)] // one input in share is not popular
		if k%6 == 0 {                                 // the maximum number of inputs, found faster than listed
			slots, share, w.item.Rate = w.k.LeastSlots(), 2, 0.3
		}
		most := p.HalfWords() / slots
		n := []int{most, min(most, sizes.WordBits), 1 + b.Rand.IntN(most)}[k%3]
		popular := make([]bool, n)
		for i := range popular {
			popular[i] = b.Rand.IntN(share) > 0
		}
		log2 := sizes.LeastRowLog2(p.Stream()) + b.Rand.IntN(sizes.MostRowLog2(p.VectorValues)-sizes.LeastRowLog2(p.Stream())+1)
		w.group = p.Geometry().Group(1 << log2)
		w.tb.RowLog2.Poke(uint64(log2))
		if err := w.gather(b.Rand.IntN(2), slots, popular); err != nil {
			return fmt.Errorf("%d inputs of %d lookups: %w", n, slots, err)
		}
		if err := w.list(1 + b.Rand.IntN(p.HalfWords()/sizes.EntryWords)); err != nil {
			return err
		}
	}
	return dispatchtest.Quiet(b)
}

// walking is a Walker with its bitmap.
type walking struct {
	*bench.Bench
	p     arch.Params
	k     sizes.Beats
	tb    memory.WalkerPorts
	item  *bench.Sink
	line  sim.Pin
	lines [][]uint64
	group int // inputs per interleaved group
}

func (w *walking) gather(half, slots int, popular []bool) error {
	bitmap := dispatch.Bitmap(w.p, popular)
	for i := range w.lines {
		w.lines[i] = make([]uint64, w.p.StreamBits/64)
		for k := range w.lines[i] {
			w.lines[i][k] = w.Rand.Uint64()
		}
	}
	for line := range len(bitmap) / w.p.StreamBytes() {
		words := w.lines[half*w.k.Lines()+line]
		clear(words)
		for i := range w.p.StreamBits {
			if at := line*w.p.StreamBits + i; bitmap[at/8]>>(at%8)&1 != 0 {
				words[i/64] |= 1 << (i % 64)
			}
		}
	}
	w.tb.Half.Poke(uint64(half))
	w.tb.Slots.Poke(uint64(slots))
	return w.run(false, len(popular), lookupsOf(unpopular(popular), slots, w.group))
}

// unpopular returns the numbers of the inputs that are not popular.
func unpopular(popular []bool) []int {
	var out []int
	for i, yes := range popular {
		if !yes {
			out = append(out, i)
		}
	}
	return out
}

func (w *walking) list(n int) error {
	if err := w.run(true, n, lookupsOf(unpopular(make([]bool, n)), sizes.EntryWords, w.group)); err != nil {
		return fmt.Errorf("list of %d entries: %w", n, err)
	}
	return nil
}

func (w *walking) run(update bool, count int, want []walked) error {
	w.tb.Update.Poke(bench.Bit(update))
	w.tb.Count.Poke(uint64(count))
	if err := dispatchtest.Pulse(w.Bench, w.tb.Start); err != nil {
		return err
	}
	w.tb.Update.Poke(bench.Bit(!update))
	w.tb.Count.Poke(0)
	for c := 0; w.tb.Busy.Peek() == 1; c++ {
		if c > 10*len(want)+2*count+100 {
			return fmt.Errorf("busy after %d cycles", c)
		}
		line := w.lines[w.tb.Line.Number.Peek()]
		read := w.tb.Line.Enable.Peek() == 1
		if err := w.Cycle(); err != nil {
			return err
		}
		if read {
			w.line.SetWords(line)
		}
	}
	var got []walked
	for _, it := range w.item.Got[0] {
		got = append(got, walkedOf(it))
	}
	w.item.Got[0] = nil
	return dispatchtest.Compare("items", got, want, dispatchtest.Equal)
}
