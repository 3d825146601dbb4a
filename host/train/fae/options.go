package fae

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/hw/limits"
)

// Options are the options of a training, with their names in a configuration.
type Options struct {
	BudgetMiB float64 `hcl:"budget_mib,optional" unit:"MiB" doc:"memory of a GPU for hot rows"`
	Sample    float64 `hcl:"sample,optional" doc:"fraction of the samples that is logged"`
	SmallKiB  float64 `hcl:"small_kib,optional" unit:"KiB" doc:"smaller tables are completely hot"`
	Test      int     `hcl:"test,optional" unit:"samples" doc:"most samples that are evaluated between strips; 0: constant rate"`
	File      string  `hcl:"file,optional" doc:"cache of the static phase: read if it exists, otherwise written"`
}

// DefaultOptions returns the options of the paper. The paper does not state the number of test
// inputs.
func DefaultOptions() Options {
	return Options{BudgetMiB: 512, Sample: 0.05, SmallKiB: 1024, Test: 16384}
}

// Static returns the options of the static phase of a training with a seed.
func (o Options) Static(seed uint64) static.Options {
	return static.Options{Budget: int64(o.BudgetMiB * (1 << 20)), Sample: o.Sample, Small: int64(o.SmallKiB * (1 << 10)), Seed: seed}
}

// mostBytes exceeds the memory of a GPU, and mostTest the size of a data set.
const (
	mostBytes = 1 << 50
	mostTest  = 1 << 30
)

// Limits returns the ranges of the options.
func (Options) Limits() map[string]limits.Range {
	return map[string]limits.Range{
		"budget_mib": limits.Between(0, mostBytes>>20), "small_kib": limits.Between(0, mostBytes>>10),
		"sample": limits.Share(), "test": limits.Between(0, mostTest),
	}
}

// Check implements registry.Options.
func (o Options) Check() (name string, err error) { return limits.First(o) }

// check returns an error if a budget is too small for the completely hot tables and one row of each
// other table.
func check(model dlrm.Config, with registry.Setting) (attribute string, err error) {
	o := with.Options.(*Options)
	s := o.Static(with.Seed)
	room, least := s.Budget/int64(4*model.Dim), 0
	for _, t := range model.Tables {
		if int64(t.Rows)*int64(4*model.Dim) < s.Small {
			least += t.Rows
		} else {
			least++
		}
	}
	if room < int64(least) {
		return "budget_mib", fmt.Errorf("budget_mib is %v, which holds %d rows, but tables of less than %v KiB and a row of each other one are %d: use a larger budget_mib, or a smaller small_kib",
			o.BudgetMiB, room, o.SmallKiB, least)
	}
	return "", nil
}
