package configs

import (
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/hw/limits"
)

// Limits returns the ranges of the attributes outside of blocks.
func (*Config) Limits() map[string]limits.Range {
	return map[string]limits.Range{"clock_mhz": limits.Between(1, 2000)}
}

// Limits returns the ranges of the attributes. SetPreset checks the preset.
func (*Model) Limits() map[string]limits.Range {
	return map[string]limits.Range{
		"dim":    limits.Described("a power of two from stream_bits / 32 to vector_values"),
		"bottom": limits.AtLeast(1), "top": limits.AtLeast(1),
		"learning_rate": positive,
		"preset":        limits.Described(presets()),
	}
}

// HeldOut is the range of the attribute held_out.
var HeldOut = limits.Number("a share from 0 to below 1, or a number of samples", func(x float64) bool {
	return x >= 0 && (x < 1 || x == math.Trunc(x) && x <= 1<<53)
})

// Limits returns the ranges of the attributes. The training system may limit the total number of
// GPUs further.
func (*Training) Limits() map[string]limits.Range {
	return map[string]limits.Range{
		"gpus": limits.Between(1, 16), "nodes": limits.Between(1, 64),
		"batch": limits.Between(1, 1<<20), "batches": limits.Between(1, 1<<30),
		"learn_share": limits.Share(), "relearn": limits.Between(0, 1<<30),
		"epochs": limits.Between(1, 1<<16), "shuffle": limits.Between(0, 1<<30), "patience": limits.Between(0, 1<<16),
		"held_out": HeldOut, "split": limits.OneOf(SplitLast, SplitRandom),
	}
}

// Limits returns the ranges of the attributes.
func (*Data) Limits() map[string]limits.Range {
	return map[string]limits.Range{
		"rows": limits.Between(1, math.MaxInt32), "lookups": limits.Between(1, 256),
		"contexts": gen.Counts, "context_zipf": gen.Exponents, "list": gen.Counts, "rho": gen.Shares,
	}
}
