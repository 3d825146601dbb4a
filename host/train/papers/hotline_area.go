package papers

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/docs"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
)

// block is what synthesis says of a part of the accelerator at the scale of the paper.
type block struct {
	area, mhz, slow float64 // um2; typical and slow cells
}

// synthesised are the blocks of the table that is kept in docs/synthesis.md.
func synthesised(page string) (map[string]block, error) {
	_, table, ok := strings.Cut(page, "| block | area, um2 | logic, um2 | memory bits | MHz | MHz, slow |")
	if !ok {
		return nil, fmt.Errorf("docs/synthesis.md: there is no table of blocks")
	}
	blocks := map[string]block{}
	for _, row := range strings.Split(table, "\n")[2:] {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		if len(cells) < 6 {
			break
		}
		var b block
		for i, to := range map[int]*float64{1: &b.area, 4: &b.mhz, 5: &b.slow} {
			v, err := strconv.ParseFloat(strings.ReplaceAll(cells[i], ",", ""), 64)
			if err != nil {
				return nil, fmt.Errorf("docs/synthesis.md: %s: %w", cells[0], err)
			}
			*to = v
		}
		blocks[strings.Trim(cells[0], "`")] = b
	}
	return blocks, nil
}

// CACTI's cell of six transistors at 45 nm.
const (
	cellSquares = 146 // squares of the feature size
	featureUM   = 0.045
)

// area is the sum of the synthesised blocks, and the clock of the slowest, beside Table IV.
func (h hotline) area(f *Finding) error {
	blocks, err := synthesised(docs.Synthesis)
	if err != nil {
		return err
	}
	p := arch.Paper()
	sum, slowest := 0., block{mhz: math.Inf(1)}
	for _, part := range []struct {
		name string
		n    int
	}{
		{"eal_bank", p.Banks}, {"xbar", eal.RequestQueues}, {"eal_answers", eal.EngineGroups}, {"lookup_engine", p.Engines}, {"reduce", 1}, {"dma_read", 1}, {"dma_write", 1}, {"dispatch", 1}, {"isa", 1},
	} {
		b, ok := blocks[part.name]
		if !ok {
			return fmt.Errorf("docs/synthesis.md: there is no block %s", part.name)
		}
		mm2 := float64(part.n) * b.area / 1e6
		sum += mm2
		if b.mhz < slowest.mhz {
			slowest = b
		}
		f.other(fmt.Sprintf("Table IV: area of %d x `%s`", part.n, part.name), mm2, 2, "mm2", fmt.Sprintf("%.0f MHz, %.0f with slow cells", b.mhz, b.slow))
	}
	cells := float64(p.Blocks*16) * cellSquares * featureUM * featureUM / 1e6
	because := fmt.Sprintf("the paper's 4 MB of the EAL alone take %.2f mm2 in CACTI's cells of six transistors at 45 nm, without decoders and amplifiers", cells)
	f.add("hotline/figure-29/area/all-of-which-the-eal-is-most", sum, "", because)
	f.add("hotline/table-iv/clock/45-nm", slowest.mhz, fmt.Sprintf("%.0f MHz with slow cells", slowest.slow))
	return nil
}
