package dispatch

import (
	"fmt"
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

func describeWalker(p arch.Params) hw.Generator[WalkerPorts] { return Walker{p} }

func TestWalker(t *testing.T) { forSizes(t, describeWalker, checkWalker) }

// walked is an item of a Walker.
type walked struct {
	last         bool
	slot, number int
}

func walkedOf(p arch.Params, it bench.Item) walked {
	f := fields{words: it}
	number, slot, last := f.take(wordsBits(p)), f.take(slotBits(p)), f.take(1)
	return walked{last == 1, int(slot), int(number)}
}

// lookupsOf are the lookups of the non-popular inputs.
func lookupsOf(popular []bool, slots int) []walked {
	var out []walked
	for i, yes := range popular {
		for s := 0; !yes && s < slots; s++ {
			out = append(out, walked{s == slots-1, s, i*slots + s})
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
	w := walking{Bench: b, p: p, pin: pinsOf(b), item: b.Pop("item")}
	w.lines = make([][]uint64, 1<<lineBits(p))
	for k := range 30 {
		w.item.Rate = rate(b.Rand)
		slots := LeastSlots(p) + b.Rand.IntN(p.Slots-LeastSlots(p)+1)
		most := p.HalfWords() / slots
		n := []int{most, min(most, wordBits), 1 + b.Rand.IntN(most)}[k%3]
		popular := make([]bool, n)
		share := []int{2, 8, 1 << 20}[b.Rand.IntN(3)] // one in so many is not
		for i := range popular {
			popular[i] = b.Rand.IntN(share) > 0
		}
		if err := w.gather(b.Rand.IntN(2), slots, popular); err != nil {
			return fmt.Errorf("%d inputs of %d lookups: %w", n, slots, err)
		}
		if err := w.list(1 + b.Rand.IntN(p.HalfWords()/entryWords)); err != nil {
			return err
		}
	}
	return quiet(b)
}

// walking is a Walker before a bitmap.
type walking struct {
	*bench.Bench
	p     arch.Params
	pin   pins
	item  *bench.Sink
	lines [][]uint64
}

func (w *walking) gather(half, slots int, popular []bool) error {
	bitmap := Bitmap(w.p, popular)
	for i := range w.lines {
		w.lines[i] = make([]uint64, w.p.StreamBits/64)
		for k := range w.lines[i] {
			w.lines[i][k] = w.Rand.Uint64()
		}
	}
	for line := range len(bitmap) / w.p.StreamBytes() {
		words := w.lines[half*bitmapLines(w.p)+line]
		clear(words)
		for i := range w.p.StreamBits {
			if at := line*w.p.StreamBits + i; bitmap[at/8]>>(at%8)&1 != 0 {
				words[i/64] |= 1 << (i % 64)
			}
		}
	}
	w.pin.set("half", uint64(half))
	w.pin.set("slots", uint64(slots))
	return w.run(false, len(popular), lookupsOf(popular, slots))
}

func (w *walking) list(n int) error {
	want := make([]walked, n)
	for i := range want {
		want[i] = walked{number: i * entryWords}
	}
	if err := w.run(true, n, want); err != nil {
		return fmt.Errorf("list of %d entries: %w", n, err)
	}
	return nil
}

func (w *walking) run(update bool, count int, want []walked) error {
	w.pin["update"].SetBool(update)
	w.pin.set("count", uint64(count))
	if err := w.pin.pulse(w.Bench, "start"); err != nil {
		return err
	}
	w.pin["update"].SetBool(!update)
	w.pin.set("count", 0)
	for c := 0; w.pin["busy"].Bool(); c++ {
		if c > 10*len(want)+2*count+100 {
			return fmt.Errorf("busy after %d cycles", c)
		}
		line := w.lines[w.pin.get("line_row")]
		read := w.pin["line_enable"].Bool()
		if err := w.Cycle(); err != nil {
			return err
		}
		if read {
			w.pin["line"].SetWords(line)
		}
	}
	var got []walked
	for _, it := range w.item.Got[0] {
		x := walkedOf(w.p, it)
		if update {
			x.last = false // the slot of an entry does not matter
		}
		got = append(got, x)
	}
	w.item.Got[0] = nil
	return compare("items", got, want, equal)
}
