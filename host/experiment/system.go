package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
)

// System is a training system that can be asked for by name.
type System struct {
	Name  string
	Title string // what it is, in a line
	// Accelerated tells that it needs an accelerator in the slot.
	Accelerated bool
	// Promise is what its parameters are.
	Promise Promise
	// New makes it on a machine, with a model that begins as in a state; dev is what is
	// in the slot, nil if it is empty.
	New func(s *server.Server, dev driver.Device, from *train.State, c *configs.Config) (train.System, error)
	// Check, unless nil, reports that it cannot train a model with a configuration. The
	// error begins with file and line.
	Check func(c *configs.Config, model rec.Config) error
	// Weakened, unless nil, tells that a configuration makes it Approximate.
	Weakened func(c *configs.Config) bool
}

// Promise is what the parameters are that a system ends with.
type Promise int

// The promises.
const (
	Sequential  Promise = iota // those of training on one mini-batch after the other, bit by bit
	OwnOrder                   // the same, in the order in which it trains
	Approximate                // others: it trains on values that are old, or on another model
)

// String is the promise as in reports.
func (p Promise) String() string { return [...]string{"sequential", "own order", "approximate"}[p] }

// Systems are those of the project, the baseline first.
func Systems() []System {
	return []System{
		{Name: "hybrid", Title: "hybrid CPU-GPU: rows in CPU memory, MLPs data-parallel on the GPUs", New: newHybrid},
		{Name: "hotline", Title: "Hotline (ISCA 2024): hot rows on the GPUs, the accelerator gathers the others", Accelerated: true, New: newHotline},
		{Name: "cdlrm", Title: "cDLRM (RecSys 2021): GPUs cache the rows of a look-ahead window", New: newCDLRM(false), Check: checkCDLRM, Weakened: averaging},
		{Name: "cdlrm-paper", Title: "the same as its authors released it: reads old rows, loses updates", Promise: Approximate, New: newCDLRM(true), Check: checkCDLRM},
	}
}

// promised is what it promises with a configuration.
func (s System) promised(c *configs.Config) Promise {
	if s.Weakened != nil && s.Weakened(c) {
		return Approximate
	}
	return s.Promise
}

func newHybrid(s *server.Server, _ driver.Device, from *train.State, _ *configs.Config) (train.System, error) {
	return hybrid.New(s, from), nil
}

func newHotline(s *server.Server, dev driver.Device, from *train.State, c *configs.Config) (train.System, error) {
	t := c.Training
	return hotline.New(s, dev, from, hotline.Options{Sample: t.LearnShare, Relearn: t.Relearn, Driver: driver.DefaultOptions()})
}

// newCDLRM makes cDLRM, or what its authors released.
func newCDLRM(released bool) func(*server.Server, driver.Device, *train.State, *configs.Config) (train.System, error) {
	return func(s *server.Server, _ driver.Device, from *train.State, c *configs.Config) (train.System, error) {
		o := c.LookAhead()
		o.Released = released
		return cdlrm.New(s, from, o)
	}
}

func checkCDLRM(c *configs.Config, model rec.Config) error {
	if err := c.LookAhead().CheckModel(model); err != nil {
		return c.Errorf("cdlrm", "lambda", "%v", err)
	}
	return nil
}

// averaging tells that the GPUs average caches that they have updated by themselves.
func averaging(c *configs.Config) bool { return !c.LookAhead().Sequential() }

// Choose finds systems by names with commas in between, or all.
func Choose(from []System, names string) ([]System, error) {
	if names == "all" {
		return from, nil
	}
	var known []string
	for _, s := range from {
		known = append(known, s.Name)
	}
	var list []System
	for _, name := range strings.Split(names, ",") {
		i := 0
		for i < len(from) && from[i].Name != name {
			i++
		}
		if i == len(from) {
			return nil, fmt.Errorf("there is no training system %q; expected all, or some of %s with commas in between", name, strings.Join(known, ", "))
		}
		if slices.ContainsFunc(list, func(s System) bool { return s.Name == name }) {
			return nil, fmt.Errorf("training system %s is named twice", name)
		}
		list = append(list, from[i])
	}
	return list, nil
}
