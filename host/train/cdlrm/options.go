package cdlrm

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/hw/limits"
)

// Options are the options of New. Fields with a tag are attributes of a configuration.
type Options struct {
	Window int `hcl:"window,optional" unit:"mini-batches" default:"by the training's length" doc:"look-ahead"`
	Sets   int `hcl:"sets,optional" default:"by the window" doc:"least sets of a table's cache, rounded up to a prime; tables with at most as many rows are cached completely"`
	Ways   int `hcl:"ways,optional" unit:"rows" doc:"size of a set"`
	Lambda int `hcl:"lambda,optional" unit:"mini-batches" doc:"time between averages of the GPUs' caches"`
	// Released imitates the authors' program, which omits two steps for speed: it caches queued
	// rows even if they are stale, and does not write victims back to CPU memory.
	Released bool
}

// Upper bounds of the options.
const (
	mostWindow = 1 << 20
	mostSets   = 1 << 20
	mostWays   = 64
	mostLambda = 1 << 30
)

// Limits returns the ranges of the options.
func (Options) Limits() map[string]limits.Range {
	return map[string]limits.Range{
		"window": limits.Between(1, mostWindow), "sets": limits.Between(1, mostSets),
		"ways": limits.Between(1, mostWays), "lambda": limits.Between(1, mostLambda),
	}
}

// Check returns the name of the first option that is out of range, and an error.
func (o Options) Check() (name string, err error) { return limits.First(o) }

// The paper's evaluation has sets of 16 ways. Its windows are 3000 mini-batches of 8192 inputs,
// 1/26 of an epoch. Its caches have 150,000 sets, so a window has ten times as many inputs as a
// cache has slots.
const (
	paperWays     = 16
	paperSets     = 150_000
	windowsOfRun  = 8   // so that a short run has several
	longestWindow = 100 // so that two windows fit into the memory of the simulating machine
)

// Scaled returns the options with zeros replaced by values for a run of batches mini-batches of
// batch inputs; batches is 0 if unknown. A cache gets a slot for each input of a window.
func (o Options) Scaled(batch, batches int) Options {
	if o.Window == 0 {
		o.Window = min(max(1, batches/windowsOfRun), longestWindow)
		if batches == 0 {
			o.Window = longestWindow
		}
	}
	if o.Ways == 0 {
		o.Ways = paperWays
	}
	if o.Sets == 0 {
		o.Sets = min((o.Window*batch+o.Ways-1)/o.Ways, paperSets)
	}
	if o.Lambda == 0 {
		o.Lambda = 1
	}
	return o
}

// Sequential reports whether the parameters are identical to sequential training.
func (o Options) Sequential() bool { return o.Lambda == 1 && !o.Released }

// CheckModel returns an error if the options cannot be used with a model.
func (o Options) CheckModel(model dlrm.Config) error {
	if o.Lambda > 1 && model.Optimiser.StateLen(1) > 0 {
		return fmt.Errorf("lambda is %d with an optimiser that has states, which the GPUs do not average; expected 1, or SGD", o.Lambda)
	}
	return nil
}
