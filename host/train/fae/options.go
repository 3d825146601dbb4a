package fae

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// Options are the choices of a training, with their names in a configuration.
type Options struct {
	BudgetMiB float64 `hcl:"budget_mib,optional"` // that the hot rows may take on a GPU
	Sample    float64 `hcl:"sample,optional"`     // share of the inputs that is logged
	SmallKiB  float64 `hcl:"small_kib,optional"`  // tables of less are hot as a whole
	// Test is how many inputs after the last mini-batch the scheduler predicts between
	// strips, at most. With 0 its rate stays what it is.
	Test int `hcl:"test,optional"`
	// File keeps what the static phase found out: it is read if it is there, else written.
	// "" is none.
	File string `hcl:"file,optional"`
}

// DefaultOptions returns the options of the paper. It does not say how many inputs are
// tested, which is a choice.
func DefaultOptions() Options {
	return Options{BudgetMiB: 512, Sample: 0.05, SmallKiB: 1024, Test: 16384}
}

// Static returns the options of the static phase of a training with a seed.
func (o Options) Static(seed uint64) static.Options {
	return static.Options{Budget: int64(o.BudgetMiB * (1 << 20)), Sample: o.Sample, Small: int64(o.SmallKiB * (1 << 10)), Seed: seed}
}

// mostBytes is more than a GPU has, mostTest more than a data set.
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

// check reports a budget that has no room for tables that are hot as a whole and a row of
// each other one.
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
