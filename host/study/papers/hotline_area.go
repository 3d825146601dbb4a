package papers

import (
	"fmt"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
)

// CACTI's cell of six transistors at 45 nm.
const (
	cellSquares = 146 // squares of the feature size
	featureUM   = 0.045
)

// area is the sum of the synthesised blocks, and the clock of the slowest, beside Table IV.
func (h hotline) area(f *Finding) error {
	blocks, err := synthesised(synthesisJSON)
	if err != nil {
		return err
	}
	p := arch.Paper()
	sum, slowest := 0., block{MHz: math.Inf(1)}
	for _, part := range []struct {
		name string
		n    int
	}{
		{"eal_bank", p.Banks}, {"xbar", eal.RequestQueues}, {"eal_answers", eal.EngineGroups}, {"lookup_engine", p.Engines}, {"reduce", 1}, {"dma_read", 1}, {"dma_write", 1}, {"dispatch", 1}, {"isa", 1},
	} {
		i := slices.IndexFunc(blocks, func(b block) bool { return b.Name == part.name })
		if i < 0 {
			return fmt.Errorf("synthesis.json: there is no block %s", part.name)
		}
		b := blocks[i]
		mm2 := float64(part.n) * b.Area / 1e6
		sum += mm2
		if b.MHz < slowest.MHz {
			slowest = b
		}
		f.other(fmt.Sprintf("Table IV: area of %d x `%s`", part.n, part.name), mm2, 2, "mm2", fmt.Sprintf("%.0f MHz, %.0f with slow cells", b.MHz, b.Slow))
	}
	cells := float64(p.Blocks*16) * cellSquares * featureUM * featureUM / 1e6
	because := fmt.Sprintf("the paper's 4 MB of the EAL alone take %.2f mm2 in CACTI's cells of six transistors at 45 nm, without decoders and amplifiers", cells)
	f.add("hotline/figure-29/area/all-of-which-the-eal-is-most", sum, "", because)
	f.add("hotline/table-iv/clock/45-nm", slowest.MHz, fmt.Sprintf("%.0f MHz with slow cells", slowest.Slow))
	return nil
}
