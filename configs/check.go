package configs

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/ui/format"
)

// complain records a mistake at an attribute.
type complain func(block, attribute, format string, args ...any)

// check verifies the constraints that the types do not express.
func (c *Config) check(systems []registry.Description) error {
	var errs []error
	bad := func(block, attribute, format string, args ...any) {
		errs = append(errs, c.Errorf(block, attribute, format, args...))
	}
	for _, b := range []struct {
		name  string
		there bool
	}{{"accelerator", c.Accelerator != nil}, {"model", c.Model != nil}, {"training", c.Training != nil}} {
		if !b.there {
			bad("", "", "the block %s is missing; expected accelerator, model and training", b.name)
		}
	}
	if len(errs) > 0 {
		return format.Mistakes(errs...)
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
	c.checkLink(bad)
	c.checkSystems(systems, bad)
	return format.Mistakes(errs...)
}

// Limits of the GPUs of a server and of the servers of a training. The training system may limit
// the total number of GPUs further.
const (
	mostGPUs  = 16
	mostNodes = 64
)

func (c *Config) checkTraining(bad complain) {
	t := c.Training
	for _, f := range []struct {
		name      string
		v, lo, hi int
	}{
		{"gpus", t.GPUs, 1, mostGPUs}, {"batch", t.Batch, 1, 1 << 20}, {"batches", t.Batches, 1, 1 << 30}, {"relearn", t.Relearn, 0, 1 << 30},
	} {
		if f.v < f.lo || f.v > f.hi {
			bad("training", f.name, "%s is %d; expected %d to %d", f.name, f.v, f.lo, f.hi)
		}
	}
	if t.Nodes == 0 {
		t.Nodes = 1
	}
	if t.Nodes < 1 || t.Nodes > mostNodes {
		bad("training", "nodes", "nodes is %d; expected 1 to %d", t.Nodes, mostNodes)
	}
	if err := c.SetMachine(cmp.Or(t.Machine, "v100")); err != nil {
		bad("training", "machine", "%v", err)
	}
	if err := c.SetProfile(cmp.Or(t.Profile, "hotline-2024-a")); err != nil {
		bad("training", "profile", "%v", err)
	}
	if !(t.LearnShare > 0 && t.LearnShare <= 1) {
		bad("training", "learn_share", "learn_share is %v; expected above 0 and at most 1", t.LearnShare)
	}
}

func (c *Config) checkModel(bad complain) {
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
	if m.Preset != "" {
		if err := c.SetPreset(m.Preset); err != nil {
			bad("model", "preset", "%v", err)
		}
	}
	if rate := float64(float32(m.LearningRate)); !(rate > 0) || math.IsInf(rate, 1) {
		bad("model", "learning_rate", "learning_rate is %v; expected above 0, within the range of float32", m.LearningRate)
	}
}

// checkData checks the parameters of the generator's tables. The tables of a data set are checked
// when the data set is read.
func (c *Config) checkData(bad complain) {
	tables := gen.CriteoLike(0).Tables
	for _, f := range []struct {
		name   string
		values map[string]int
		most   int
	}{{"rows", c.Data.Rows, math.MaxInt32}, {"lookups", c.Data.Lookups, 256}} {
		for _, table := range slices.Sorted(maps.Keys(f.values)) {
			n := f.values[table]
			switch known := slices.ContainsFunc(tables, func(t gen.Table) bool { return t.Name == table }); {
			case !known:
				bad("data", f.name, "there is no table %q; the generator has C1 to C%d", table, len(tables))
			case n < 1:
				bad("data", f.name, "table %s has %d %s; expected at least 1", table, n, f.name)
			case n > f.most:
				bad("data", f.name, "table %s has %d %s; expected at most %d", table, n, f.name, f.most)
			}
		}
	}
	for _, f := range []struct {
		name string
		only Data
	}{
		{"contexts", Data{Contexts: c.Data.Contexts}}, {"context_zipf", Data{ContextZipf: c.Data.ContextZipf}},
		{"list", Data{List: c.Data.List}}, {"rho", Data{Rho: c.Data.Rho}},
	} {
		p := gen.CriteoLike(0)
		f.only.change(&p)
		if err := p.Validate(); err != nil {
			bad("data", f.name, "%v", err)
		}
	}
}

// checkLink checks the blocks that have defaults as a whole.
func (c *Config) checkLink(bad complain) {
	if !c.Straps.BusMaster {
		bad("function", "bus_master", "bus_master is false; the accelerator could reach no memory")
	}
	for _, b := range []struct {
		block string
		err   error
	}{{"link", c.Link.Check()}, {"function", c.Straps.Check()}} {
		if b.err != nil {
			bad(b.block, "", "%v", b.err)
		}
	}
}
