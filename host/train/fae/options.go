package fae

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// Options are the options of a training, with their names in a configuration.
type Options struct {
	BudgetMiB float64 `hcl:"budget_mib,optional"` // memory of a GPU for hot rows
	Sample    float64 `hcl:"sample,optional"`     // fraction of the inputs that is logged
	SmallKiB  float64 `hcl:"small_kib,optional"`  // smaller tables are completely hot
	// Test is the maximum number of inputs after the last mini-batch that are evaluated between
	// strips. With 0 the rate is constant.
	Test int `hcl:"test,optional"`
	// File caches the outcome of the static phase: it is read if it exists, and otherwise written.
	// "" means no file.
	File string `hcl:"file,optional"`
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

// Check implements registry.Options.
func (o Options) Check() (name string, err error) {
	if !(o.Sample > 0 && o.Sample <= 1) {
		return "sample", fmt.Errorf("sample is %v; expected above 0 and at most 1", o.Sample)
	}
	if most := float64(mostBytes >> 20); !(o.BudgetMiB >= 0 && o.BudgetMiB <= most) {
		return "budget_mib", fmt.Errorf("budget_mib is %v; expected 0 to %.0f", o.BudgetMiB, most)
	}
	if most := float64(mostBytes >> 10); !(o.SmallKiB >= 0 && o.SmallKiB <= most) {
		return "small_kib", fmt.Errorf("small_kib is %v; expected 0 to %.0f", o.SmallKiB, most)
	}
	if o.Test < 0 || o.Test > mostTest {
		return "test", fmt.Errorf("test is %d; expected 0 to %d", o.Test, mostTest)
	}
	return "", nil
}

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
