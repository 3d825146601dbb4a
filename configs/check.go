package configs

import (
	"maps"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/hw/limits"
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
	}{{"accelerator", c.Accelerator != nil}, {"model", c.Model != nil}, {"training", c.places.has("training")}} {
		if !b.there {
			bad("", "", "the block %s is missing; expected accelerator, model and training, or base = \"small\"", b.name)
		}
	}
	if len(errs) > 0 {
		return format.Mistakes(errs...)
	}
	if err := c.Accelerator.Validate(); err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			name, _, _ := strings.Cut(line, " ")
			bad("accelerator", name, "%s", line)
		}
	}
	for _, b := range []struct {
		name  string
		block limits.Block
	}{{"", c}, {"training", c.Training}, {"model", c.Model}, {"data", c.Data}, {"link", c.Link}, {"function", c.Straps}} {
		for _, m := range limits.Check(b.block) {
			bad(b.name, m.Attribute, "%v", m)
		}
	}
	c.checkTraining(bad)
	c.checkModel(bad)
	c.checkOptimiser(bad)
	c.checkTables(bad)
	if !c.Straps.BusMaster {
		bad("function", "bus_master", "bus_master is false; the accelerator could reach no memory")
	}
	c.checkSystems(systems, bad)
	return format.Mistakes(errs...)
}

// checkTraining selects the machine and the software profile.
func (c *Config) checkTraining(bad complain) {
	if err := c.SetMachine(c.Training.Machine); err != nil {
		bad("training", "machine", "%v", err)
	}
	if err := c.SetProfile(c.Training.Profile); err != nil {
		bad("training", "profile", "%v", err)
	}
}

func (c *Config) checkModel(bad complain) {
	m := c.Model
	least, most := c.Accelerator.StreamBits/32, c.Accelerator.VectorValues
	if m.Dim < least || m.Dim > most || m.Dim&(m.Dim-1) != 0 {
		bad("model", "dim", "dim is %d; expected a power of two from %d (a beat of the stream) to %d (the vector buffer)", m.Dim, least, most)
	}
	if m.Preset != "" {
		if err := c.SetPreset(m.Preset); err != nil {
			bad("model", "preset", "%v", err)
		}
	}
}

// checkTables checks the names of the generator's tables. The tables of a data set are checked when
// the data set is read.
func (c *Config) checkTables(bad complain) {
	tables := gen.CriteoLike(0).Tables
	for _, f := range []struct {
		name   string
		values map[string]int
	}{{"rows", c.Data.Rows}, {"lookups", c.Data.Lookups}} {
		for _, table := range slices.Sorted(maps.Keys(f.values)) {
			if !slices.ContainsFunc(tables, func(t gen.Table) bool { return t.Name == table }) {
				bad("data", f.name, "there is no table %q; the generator has C1 to C%d", table, len(tables))
			}
		}
	}
}
