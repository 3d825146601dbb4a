package papers

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// synthesis.json has what hotline synth printed for blocks at the scale of the paper, with the same
// keys. The table in docs/evidence/synthesis.md is the same, which a test holds.
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
