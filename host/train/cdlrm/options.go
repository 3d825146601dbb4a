package cdlrm

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// Options are the options of New. Fields with a tag are attributes of a configuration.
type Options struct {
	Window int `hcl:"window,optional"` // mini-batches of a look-ahead window
	Sets   int `hcl:"sets,optional"`   // minimum number of sets of a table's cache, rounded up to a prime; tables with at most this many rows are cached completely
	Ways   int `hcl:"ways,optional"`   // rows of a set
	Lambda int `hcl:"lambda,optional"` // mini-batches between averages of the GPUs' caches
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

// Check returns the name of the first option that is out of range, and an error.
func (o Options) Check() (name string, err error) {
	for _, x := range []struct {
		name     string
		is, most int
	}{{"window", o.Window, mostWindow}, {"sets", o.Sets, mostSets}, {"ways", o.Ways, mostWays}, {"lambda", o.Lambda, mostLambda}} {
		if x.is < 1 || x.is > x.most {
			return x.name, fmt.Errorf("%s is %d; expected 1 to %d", x.name, x.is, x.most)
		}
	}
	return "", nil
}

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
