package cdlrm

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// Options of New. Those with a tag stand in a configuration.
type Options struct {
	Window int `hcl:"window,optional"` // mini-batches of a look-ahead window
	Sets   int `hcl:"sets,optional"`   // of a table's cache: the next prime; a table with as many rows or fewer is cached whole
	Ways   int `hcl:"ways,optional"`   // rows of a set
	Lambda int `hcl:"lambda,optional"` // mini-batches after which the GPUs average their caches
	// Released does as the authors' program, for speed: what was copied to the queue is
	// cached however old it is, and victims do not go back to CPU memory.
	Released bool
}

// Largest options.
const (
	mostWindow = 1 << 20
	mostSets   = 1 << 20
	mostWays   = 64
	mostLambda = 1 << 30
)

// Check reports the first option that is out of range, and its name.
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

// The evaluation of the paper has sets of 16 ways. Its windows are 3000 mini-batches of
// 8192 inputs, a twenty-sixth of an epoch, and its caches 150,000 sets, ten times
// fewer slots than a window has inputs.
const (
	paperWays     = 16
	paperSets     = 150_000
	windowsOfRun  = 8   // so that a short run has several
	longestWindow = 100 // so that two fit into the memory of whoever simulates
)

// Scaled are the options with those that are 0 chosen for a run of batches mini-batches
// of batch inputs; batches is 0 if it is not known. A cache gets a slot for each input
// of a window.
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

// Sequential tells whether the parameters are those of sequential training.
func (o Options) Sequential() bool { return o.Lambda == 1 && !o.Released }

// CheckModel reports that there are no such caches of a model.
func (o Options) CheckModel(model dlrm.Config) error {
	if o.Lambda > 1 && model.Optimiser.StateLen(1) > 0 {
		return fmt.Errorf("lambda is %d with an optimiser that has states, which the GPUs do not average; expected 1, or SGD", o.Lambda)
	}
	return nil
}
