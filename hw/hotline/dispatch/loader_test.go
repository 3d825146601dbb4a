package dispatch

import (
	"fmt"
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

func describeLoader(p arch.Params) hw.Generator[LoaderPorts] { return Loader{p} }

func TestLoader(t *testing.T) { forSizes(t, describeLoader, checkLoader) }

// checkLoader loads arrays of all lengths.
func checkLoader(d *ir.Design, p arch.Params, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	pin, req := pinsOf(b), bench.PopOf[dma.Request](b, "req", p)
	for k := range 60 {
		n := []int{1, 127, 128, 129, p.HalfWords(), 1 + b.Rand.IntN(p.HalfWords())}[k%6]
		addr, half := b.Rand.Uint64()&^63, b.Rand.IntN(2)
		req.Rate = rate(b.Rand)
		pin.set("addr", addr)
		pin.set("words", uint64(n))
		pin.set("half", uint64(half))
		if err := pin.pulse(b, "start"); err != nil {
			return err
		}
		for _, name := range []string{"addr", "words", "half"} {
			pin.set(name, 0)
		}
		for c := 0; pin["busy"].Bool(); c++ {
			if c > 1000 {
				return fmt.Errorf("%d words: busy after %d cycles", n, c)
			}
			if err := b.Cycle(); err != nil {
				return err
			}
		}
		var got []dma.ReadRequest
		for _, it := range req.Got[0] {
			got = append(got, requestOf(it))
		}
		req.Got[0] = nil
		if err := compare("reads", got, LoadRequests(p, addr, n, half), equal); err != nil {
			return fmt.Errorf("%d words: %w", n, err)
		}
	}
	return quiet(b)
}
