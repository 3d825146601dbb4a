package cdlrm

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/rec"
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

// Range is an option with the least and the most that it may be.
type Range struct {
	Name        string // in a configuration
	Value       int
	Least, Most int
}

// Ranges are those of all options that are numbers.
func (o Options) Ranges() []Range {
	return []Range{
		{"window", o.Window, 1, mostWindow}, {"sets", o.Sets, 1, mostSets}, {"ways", o.Ways, 1, mostWays}, {"lambda", o.Lambda, 1, mostLambda},
	}
}

// Err is the error that the option is out of its range, nil if it is not.
func (r Range) Err() error {
	if r.Value < r.Least || r.Value > r.Most {
		return fmt.Errorf("%s is %d; expected %d to %d", r.Name, r.Value, r.Least, r.Most)
	}
	return nil
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

// check reports options that cannot be.
func (o Options) check(model rec.Config) error {
	var errs []error
	for _, r := range o.Ranges() {
		if err := r.Err(); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(append(errs, o.CheckModel(model))...)
}

// CheckModel reports that there are no such caches of a model.
func (o Options) CheckModel(model rec.Config) error {
	if o.Lambda > 1 && model.Optimiser.StateLen(1) > 0 {
		return fmt.Errorf("lambda is %d with an optimiser that has states, which the GPUs do not average; expected 1, or SGD", o.Lambda)
	}
	return nil
}
