package input_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/input"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func describeClassifier(p arch.Params) hw.Generator[input.ClassifierPorts] {
	return input.Classifier{Beats: sizes.BeatsOf(p), SlotNumbers: sizes.SlotNumbers{Slots: p.Slots}}
}

func TestClassifier(t *testing.T) { dispatchtest.ForSizes(t, describeClassifier, checkClassifier) }

// checkClassifier classifies mini-batches with all kinds of sizes, numbers of lookups and shares of
// misses.
func checkClassifier(d *ir.Design, p arch.Params, seed uint64) error {
	c, err := newClassifying(d, p, seed)
	if err != nil {
		return err
	}
	if err := c.idle(); err != nil {
		return err
	}
	for _, slots := range c.slots() {
		for _, n := range c.inputs(slots) {
			if err := c.run(c.Rand.IntN(2), slots, c.results(n, slots)); err != nil {
				return fmt.Errorf("%d inputs of %d lookups: %w", n, slots, err)
			}
		}
	}
	if err := dispatchtest.Quiet(c.Bench); err != nil {
		return err
	}
	return checkAtOnce(d, p, seed)
}

// checkAtOnce classifies in the first cycle after the reset.
func checkAtOnce(d *ir.Design, p arch.Params, seed uint64) error {
	c, err := newClassifying(d, p, seed)
	if err != nil {
		return err
	}
	slots := c.slots()[0]
	if err := c.run(0, slots, c.results(1, slots)); err != nil {
		return fmt.Errorf("at once: %w", err)
	}
	return nil
}

func newClassifying(d *ir.Design, p arch.Params, seed uint64) (*classifying, error) {
	b, err := bench.New(d, seed)
	if err != nil {
		return nil, err
	}
	return &classifying{Bench: b, p: p, k: sizes.BeatsOf(p), tb: sim.Bind[input.ClassifierPorts](b.Sim, describeClassifier(p)), hit: b.Pin("hit"), line: b.Pin("line_bits")}, nil
}

// classifying is a Classifier with the bitmaps that it must hold.
type classifying struct {
	*bench.Bench
	p       arch.Params
	k       sizes.Beats
	tb      input.ClassifierPorts
	hit     sim.Pin
	line    sim.Pin
	bitmaps [2][]byte
	behind  uint64 // results after the last word
}

// slots returns numbers of lookups per input: the minimum, numbers close to a fraction or multiple
// of a row, and random numbers.
func (c *classifying) slots() []int {
	least, e := c.k.LeastSlots(), c.p.Engines
	var out []int
	for _, n := range []int{least, least + 1, least + 2, e/3 + 1, e/2 - 1, e / 2, e/2 + 1, e - 1, e, e + 1, 2 * e, 2*e + 1, c.p.Slots} {
		if n >= least && n <= c.p.Slots {
			out = append(out, n)
		}
	}
	for range 5 {
		out = append(out, least+c.Rand.IntN(c.p.Slots-least+1))
	}
	return out
}

// inputs returns numbers of inputs: the maximum, a number that fills whole rows, a few more than
// fill words of the bitmap, and random numbers.
func (c *classifying) inputs(slots int) []int {
	most, whole := c.p.HalfWords()/slots, 1
	for whole*slots%c.p.Engines != 0 {
		whole++
	}
	return []int{most, max(1, most-1), min(whole, most), min(sizes.WordBits*(1+c.Rand.IntN(4))+1+c.Rand.IntN(3), most), 1 + c.Rand.IntN(most), 1 + c.Rand.IntN(min(8, most))}
}

// results returns random results: all hits, a few misses, or one miss in some inputs. Misses are
// mostly at the boundary of a row or an input.
func (c *classifying) results(n, slots int) []lookup.Result {
	out := make([]lookup.Result, n*slots)
	share := []int{1 << 20, 2 * slots, 1 << 20}[c.Rand.IntN(3)] // one result in share misses
	for i := range out {
		out[i].Hit = c.Rand.IntN(share) > 0
	}
	for i := range n {
		if share > 2*slots && c.Rand.IntN(3) == 0 {
			places := []int{0, slots - 1, c.Rand.IntN(slots), min(slots-1, c.p.Engines-i*slots%c.p.Engines)}
			out[i*slots+places[c.Rand.IntN(4)]].Hit = false
		}
	}
	return out
}

// idle checks that nothing happens before the first start.
func (c *classifying) idle() error {
	c.tb.RowReady.Poke(1)
	for range 3 {
		if c.tb.Busy.Peek()|c.tb.Scan.Enable.Peek() == 1 {
			return errors.New("busy after reset")
		}
		if err := c.Cycle(); err != nil {
			return err
		}
	}
	return nil
}

func (c *classifying) run(half, slots int, results []lookup.Result) error {
	p := c.p
	popular := dispatch.Classify(results, slots)
	rows := (len(results) + p.Engines - 1) / p.Engines
	first := uint64(half) << (c.k.AddressBits() - 1)
	c.bitmaps[half] = dispatch.Bitmap(p, popular)
	c.tb.Half.Poke(uint64(half))
	c.tb.Inputs.Poke(uint64(len(popular)))
	c.tb.Slots.Poke(uint64(slots))
	c.tb.Rows.Poke(uint64(rows))
	if err := dispatchtest.Pulse(c.Bench, c.tb.Start); err != nil {
		return err
	}
	c.tb.Half.Poke(uint64(1 - half))
	speed := dispatchtest.Rate(c.Rand)
	c.behind = -c.Rand.Uint64N(2)
	next := 0
	for cycles := 0; c.tb.Busy.Peek() == 1; cycles++ {
		if cycles > 10*rows+100 {
			return fmt.Errorf("busy after %d cycles and %d rows", cycles, next)
		}
		c.tb.RowReady.Poke(bench.Bit(c.Rand.Float64() < speed))
		if c.tb.Scan.Enable.Peek() == 1 {
			if row := int(c.tb.Scan.Row.Peek() - first); row != next {
				return fmt.Errorf("row %d is read, want %d", row, next)
			}
			next++
		}
		if err := c.Cycle(); err != nil {
			return err
		}
		c.hits(results, (next-1)*p.Engines)
	}
	if next != rows {
		return fmt.Errorf("not busy after %d rows of %d", next, rows)
	}
	return c.check(popular)
}

// hits drives the results from word k on. The results after the last word all hit or all miss.
func (c *classifying) hits(results []lookup.Result, k int) {
	hit := c.behind & (1<<c.p.Engines - 1)
	for e := range c.p.Engines {
		if i := k + e; i >= 0 && i < len(results) {
			hit &^= 1 << e
			if results[i].Hit {
				hit |= 1 << e
			}
		}
	}
	c.hit.Set(hit)
}

// check compares the count and both bitmaps.
func (c *classifying) check(popular []bool) error {
	count := 0
	for _, yes := range popular {
		if yes {
			count++
		}
	}
	if got := int(c.tb.Popular.Peek()); got != count {
		return fmt.Errorf("%d popular inputs, want %d", got, count)
	}
	for half, want := range c.bitmaps {
		for line := range len(want) / c.p.StreamBytes() {
			c.tb.Line.Enable.Poke(1)
			c.tb.Line.Number.Poke(uint64(half*c.k.Lines() + line))
			want := want[line*c.p.StreamBytes():][:c.p.StreamBytes()]
			for range 2 { // the line must remain stable
				if err := c.Cycle(); err != nil {
					return err
				}
				c.tb.Line.Enable.Poke(0)
				c.tb.Line.Number.Poke(0)
				if got := dma.BytesOf(c.line.Words()); !bytes.Equal(got, want) {
					return fmt.Errorf("half %d line %d is %x, want %x", half, line, got, want)
				}
			}
		}
	}
	return nil
}
