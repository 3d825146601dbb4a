package configs

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/rec/data"
)

// check verifies what the types do not.
func (c *Config) check(p places) error {
	var errs []error
	bad := func(block, attribute, format string, args ...any) {
		errs = append(errs, p.errorf(block, attribute, format, args...))
	}
	if c.ClockMHz < 1 || c.ClockMHz > 2000 {
		bad("", "clock_mhz", "clock_mhz is %d; expected 1 to 2000", c.ClockMHz)
	}
	if err := c.Accelerator.Validate(); err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			name, _, _ := strings.Cut(line, " ")
			bad("accelerator", name, "%s", line)
		}
	}
	c.checkTraining(bad)
	c.checkModel(bad)
	c.checkData(bad)
	for _, b := range []struct {
		block string
		err   error
	}{{"link", c.Link.Check()}, {"function", c.Straps.Check()}, {"machine", c.Machine.Check()}} {
		if b.err != nil {
			bad(b.block, "", "%v", b.err)
		}
	}
	return errors.Join(errs...)
}

func (c *Config) checkTraining(bad func(block, attribute, format string, args ...any)) {
	t := c.Training
	for _, f := range []struct {
		name      string
		v, lo, hi int
	}{
		{"gpus", t.GPUs, 1, c.Accelerator.GPUs}, {"batch", t.Batch, 1, 1 << 20}, {"batches", t.Batches, 1, 1 << 30}, {"relearn", t.Relearn, 0, 1 << 30},
	} {
		if f.v < f.lo || f.v > f.hi {
			bad("training", f.name, "%s is %d; expected %d to %d", f.name, f.v, f.lo, f.hi)
		}
	}
	if !(t.LearnShare > 0 && t.LearnShare <= 1) {
		bad("training", "learn_share", "learn_share is %v; expected above 0 and at most 1", t.LearnShare)
	}
}

func (c *Config) checkModel(bad func(block, attribute, format string, args ...any)) {
	m := c.Model
	least, most := c.Accelerator.StreamBits/32, c.Accelerator.VectorValues
	if m.Dim < least || m.Dim > most || m.Dim&(m.Dim-1) != 0 {
		bad("model", "dim", "dim is %d; expected a power of two from %d (a beat of the stream) to %d (the vector buffer)", m.Dim, least, most)
	}
	for _, l := range []struct {
		name   string
		widths []int
	}{{"bottom", m.Bottom}, {"top", m.Top}} {
		for _, w := range l.widths {
			if w < 1 {
				bad("model", l.name, "%s has a layer of %d; expected at least 1", l.name, w)
			}
		}
	}
	if !(m.LearningRate > 0) {
		bad("model", "learning_rate", "learning_rate is %v; expected above 0", m.LearningRate)
	}
}

// checkData looks at the generator's tables; those of a data set are checked
// when it is read.
func (c *Config) checkData(bad func(block, attribute, format string, args ...any)) {
	known := map[string]bool{}
	for _, t := range data.CriteoLike(0).Tables {
		known[t.Name] = true
	}
	for _, f := range []struct {
		name   string
		values map[string]int
	}{{"rows", c.Data.Rows}, {"lookups", c.Data.Lookups}} {
		for _, table := range slices.Sorted(maps.Keys(f.values)) {
			switch n := f.values[table]; {
			case !known[table]:
				bad("data", f.name, "there is no table %q; the generator has C1 to C%d", table, len(known))
			case n < 1:
				bad("data", f.name, "table %s has %d %s; expected at least 1", table, n, f.name)
			}
		}
	}
}
