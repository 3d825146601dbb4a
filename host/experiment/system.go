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
	"github.com/hotline-rtl/hotline/host/train/cpuhotline"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hugectr"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/shadow"
	"github.com/hotline-rtl/hotline/host/train/staticcache"
	"github.com/hotline-rtl/hotline/host/train/xdl"
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
	// Truth is what it is checked against; nil is sequential training of the model.
	Truth func(from *train.State) shadow.Truth
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
		{Name: "hybrid-intel", Title: "hybrid with the CPU kernels of the DLRM that Intel optimised, whatever the profile says", New: newHybridIntel},
		{Name: "xdl", Title: "parameter server as XDL: workers pull dense parameters and rows, and push gradients", New: newXDL},
		{Name: "hugectr", Title: "GPUs alone, as HugeCTR: tables dealt out row by row, rows exchanged all to all", New: newHugeCTR},
		{Name: "cpu-hotline", Title: "Hotline without an accelerator: the CPU learns, segregates, collects and updates", New: newCPUHotline},
		{Name: "static-cache", Title: "hybrid with a static cache: the top rows of each table on the GPUs (ScratchPipe's baseline)", New: newStaticCache},
		{Name: "fae", Title: "FAE (VLDB 2022): mini-batches of inputs whose rows are all on the GPUs, and of the others", Promise: OwnOrder, New: newFAE},
		{Name: "scratchpipe", Title: "ScratchPipe (ISCA 2022): rows come to the GPUs before they are read, in a pipeline", New: newScratchPipe(scratchpipe.New)},
		{Name: "scratchpipe-strawman", Title: "the same, one mini-batch after the other", New: newScratchPipe(scratchpipe.NewStrawman)},
		{Name: "scratchpipe-ideal", Title: "the same without read-after-write dependencies, as in the Hotline paper", Promise: Approximate, New: newScratchPipe(scratchpipe.NewIdeal)},
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

func newFAE(s *server.Server, _ driver.Device, from *train.State, c *configs.Config) (train.System, error) {
	return fae.New(s, from, c.FAE.Options(c.Training.Seed))
}

func newHotline(s *server.Server, dev driver.Device, from *train.State, c *configs.Config) (train.System, error) {
	t := c.Training
	return hotline.New(s, dev, from, hotline.Options{Sample: t.LearnShare, Relearn: t.Relearn, Driver: driver.DefaultOptions()})
}

func newHybridIntel(s *server.Server, _ driver.Device, from *train.State, _ *configs.Config) (train.System, error) {
	return hybrid.NewIntel(s, from), nil
}

func newXDL(s *server.Server, _ driver.Device, from *train.State, _ *configs.Config) (train.System, error) {
	return xdl.New(s, from), nil
}

func newHugeCTR(s *server.Server, _ driver.Device, from *train.State, _ *configs.Config) (train.System, error) {
	return hugectr.New(s, from), nil
}

// newCPUHotline has as many hot rows as the accelerator has blocks for.
func newCPUHotline(s *server.Server, _ driver.Device, from *train.State, c *configs.Config) (train.System, error) {
	t := c.Training
	return cpuhotline.New(s, from, cpuhotline.Options{Rows: min(c.Accelerator.Blocks, totalRows(from.Model.Tables)), Sample: t.LearnShare, Relearn: t.Relearn})
}

func newStaticCache(s *server.Server, _ driver.Device, from *train.State, _ *configs.Config) (train.System, error) {
	return staticcache.New(s, from, staticcache.DefaultOptions())
}

// newScratchPipe makes one of the ways of ScratchPipe.
func newScratchPipe(way func(*server.Server, *train.State, scratchpipe.Options) (*scratchpipe.System, error)) func(*server.Server, driver.Device, *train.State, *configs.Config) (train.System, error) {
	return func(s *server.Server, _ driver.Device, from *train.State, c *configs.Config) (train.System, error) {
		return way(s, from, *c.ScratchPipe)
	}
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
