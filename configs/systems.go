package configs

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
)

// FAE is how system fae chooses and uses hot rows. What is left out is as in its
// paper.
type FAE struct {
	BudgetMiB float64 `hcl:"budget_mib,optional"` // that the hot rows may take on a GPU
	Sample    float64 `hcl:"sample,optional"`     // share of the inputs that is logged
	SmallKiB  float64 `hcl:"small_kib,optional"`  // tables of less are hot as a whole
	Test      int     `hcl:"test,optional"`       // inputs behind the last mini-batch whose loss its scheduler follows, at most
	File      string  `hcl:"file,optional"`       // keeps what was found out, for other runs; "" is none
}

// DefaultFAE is the paper's.
func DefaultFAE() FAE {
	o := fae.DefaultOptions()
	return FAE{BudgetMiB: float64(o.Static.Budget) / (1 << 20), Sample: o.Static.Sample, SmallKiB: float64(o.Static.Small) / (1 << 10), Test: o.Test}
}

// Options are those of the system, for a training with a seed.
func (f FAE) Options(seed uint64) fae.Options {
	return fae.Options{
		Static: static.Options{Budget: int64(f.BudgetMiB * (1 << 20)), Sample: f.Sample, Small: int64(f.SmallKiB * (1 << 10)), Seed: seed},
		File:   f.File, Test: f.Test,
	}
}

// mostBytes is more than a GPU has, mostTest more than a data set.
const (
	mostBytes = 1 << 50
	mostTest  = 1 << 30
)

// Check reports the first value that is out of range, and its name.
func (f FAE) Check() (name string, err error) {
	if !(f.Sample > 0 && f.Sample <= 1) {
		return "sample", fmt.Errorf("sample is %v; expected above 0 and at most 1", f.Sample)
	}
	if most := float64(mostBytes >> 20); !(f.BudgetMiB >= 0 && f.BudgetMiB <= most) {
		return "budget_mib", fmt.Errorf("budget_mib is %v; expected 0 to %.0f", f.BudgetMiB, most)
	}
	if most := float64(mostBytes >> 10); !(f.SmallKiB >= 0 && f.SmallKiB <= most) {
		return "small_kib", fmt.Errorf("small_kib is %v; expected 0 to %.0f", f.SmallKiB, most)
	}
	if f.Test < 0 || f.Test > mostTest {
		return "test", fmt.Errorf("test is %d; expected 0 to %d", f.Test, mostTest)
	}
	return "", nil
}

// LookAhead is how systems cdlrm and cdlrm-paper look ahead and cache rows.
func (c *Config) LookAhead() cdlrm.Options {
	return c.CDLRM.Scaled(c.Training.Batch, c.Training.Batches)
}

// setSystems sets the blocks of training systems to their defaults.
func (c *Config) setSystems() {
	hot, cores, slots := DefaultFAE(), elrec.DefaultOptions(), scratchpipe.DefaultOptions()
	c.FAE, c.CDLRM, c.ELRec, c.ScratchPipe = &hot, &cdlrm.Options{}, &cores, &slots
}

// checkSystems checks the blocks of training systems.
func (c *Config) checkSystems(bad complain) {
	for _, b := range []struct {
		block string
		check func() (name string, err error)
	}{
		{"fae", c.FAE.Check}, {"cdlrm", c.CDLRM.Scaled(1, 1).Check}, {"elrec", c.ELRec.Check}, {"scratchpipe", c.ScratchPipe.Check},
	} {
		if name, err := b.check(); err != nil {
			bad(b.block, name, "%v", err)
		}
	}
}
