package papers

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
)

// synthesisJSON contains the output of hotline synth for blocks at the scale of the paper, with the
// same keys. A test compares it with the table in docs/evidence/synthesis.md.
//
//go:embed synthesis.json
var synthesisJSON []byte

// block is a synthesised part of the accelerator.
type block struct {
	Name       string  `json:"block"`
	Area       float64 `json:"area_um2"`
	Logic      float64 `json:"logic_um2"`
	MemoryBits int     `json:"memory_bits"`
	MHz        float64 `json:"mhz"` // with typical cells
	Slow       float64 `json:"mhz_slow"`
	Power      float64 `json:"power_mw"`
}

// synthesised returns the blocks of a file.
func synthesised(text []byte) (blocks []block, err error) {
	if err := json.Unmarshal(text, &blocks); err != nil {
		return nil, fmt.Errorf("synthesis.json: %w", err)
	}
	return blocks, nil
}

// synthesis returns the sum of the blocks' areas in mm2, or for part "clock", the MHz of the slowest.
func synthesis(_ *bench, r Record) (float64, string, error) {
	blocks, err := synthesised(synthesisJSON)
	if err != nil {
		return 0, "", err
	}
	p, area, slowest := arch.Paper(), 0., block{}
	for _, part := range []struct {
		name string
		n    int
	}{
		{"eal_bank", p.Banks}, {"xbar", eal.RequestQueues}, {"eal_answers", eal.EngineGroups}, {"lookup_engine", p.Engines}, {"reduce", 1}, {"dma_read", 1}, {"dma_write", 1}, {"dispatch", 1}, {"isa", 1},
	} {
		i := slices.IndexFunc(blocks, func(b block) bool { return b.Name == part.name })
		if i < 0 {
			return 0, "", fmt.Errorf("synthesis.json: there is no block %s", part.name)
		}
		area += float64(part.n) * blocks[i].Area / 1e6
		if slowest.MHz == 0 || blocks[i].MHz < slowest.MHz {
			slowest = blocks[i]
		}
	}
	if r.Part == "clock" {
		return slowest.MHz, fmt.Sprintf("%s; %.0f MHz with slow cells", slowest.Name, slowest.Slow), nil
	}
	return area, "", nil
}
