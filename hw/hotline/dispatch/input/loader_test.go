package input_test

import (
	"fmt"
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/input"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func describeLoader(p arch.Params) hw.Generator[input.LoaderPorts] {
	return input.Loader{Beats: sizes.BeatsOf(p)}
}

func TestLoader(t *testing.T) { dispatchtest.ForSizes(t, describeLoader, checkLoader) }

// checkLoader loads arrays of all lengths.
func checkLoader(d *ir.Design, p arch.Params, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	tb, req := sim.Bind[input.LoaderPorts](b.Sim, describeLoader(p)), bench.PopOf[dma.Request](b, "req", p)
	for k := range 60 {
		n := []int{1, 127, 128, 129, p.HalfWords(), 1 + b.Rand.IntN(p.HalfWords())}[k%6]
		addr, half := b.Rand.Uint64()&^63, b.Rand.IntN(2)
		req.Rate = dispatchtest.Rate(b.Rand)
		tb.Addr.Poke(addr)
		tb.Words.Poke(uint64(n))
		tb.Half.Poke(uint64(half))
		if err := dispatchtest.Pulse(b, tb.Start); err != nil {
			return err
		}
		for _, x := range []hw.Bits{tb.Addr, tb.Words, tb.Half} {
			x.Poke(0)
		}
		for c := 0; tb.Busy.Peek() == 1; c++ {
			if c > 1000 {
				return fmt.Errorf("%d words: busy after %d cycles", n, c)
			}
			if err := b.Cycle(); err != nil {
				return err
			}
		}
		var got []dma.ReadRequest
		for _, it := range req.Got[0] {
			got = append(got, dispatchtest.RequestOf(it))
		}
		req.Got[0] = nil
		if err := dispatchtest.Compare("reads", got, dispatch.LoadRequests(p, addr, n, half), dispatchtest.Equal); err != nil {
			return fmt.Errorf("%d words: %w", n, err)
		}
	}
	return dispatchtest.Quiet(b)
}
