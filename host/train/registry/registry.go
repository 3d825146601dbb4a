package registry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
)

// Description describes a training system. Name, Title and New are required.
type Description struct {
	Name  string // name for --system
	Title string // a line of help
	// Accelerated states that the system needs an accelerator in the slot. The system then
	// implements [Driving].
	Accelerated bool
	Guarantee   Guarantee
	// Block is the name of the system's block in a configuration; systems may share a block.
	// Options has the defaults of the block. A system without a block gets Options unchanged.
	Block   string
	Options Options
	// New builds the system on a machine. Its model starts from a state. dev is the device in the
	// slot, or nil.
	New New
	// Reference returns the reference for checks; nil means sequential training of the model.
	Reference func(s train.System, from *train.State) consistency.Reference
	// Check, unless nil, returns an error if the system cannot train a model, with the attribute of
	// its block that is the reason.
	Check func(model dlrm.Config, with Setting) (attribute string, err error)
	// Keeps, unless nil, estimates the memory for the given number of inputs (0 if unknown), in
	// addition to the memory that all systems need.
	Keeps func(model dlrm.Config, with Setting, inputs float64) Need
	// Weakened, unless nil, reports whether a setting makes the system Approximate.
	Weakened func(with Setting) bool
	// Mechanisms are the parts of the system that a training may leave idle.
	Mechanisms []Mechanism
}

// Mechanism is a part of a system, such as its cache.
type Mechanism struct {
	Count string // label of a count of the system; the mechanism is idle if the count is 0
	Idle  string // reason for which it is idle
}

// Idle returns the reasons for which mechanisms were idle in a training, or "".
func (d Description) Idle(r train.Result) string {
	var why []string
	for _, m := range d.Mechanisms {
		if r.Count(m.Count) == 0 {
			why = append(why, m.Idle)
		}
	}
	return strings.Join(why, "; ")
}

// New builds a system.
type New func(s *server.Server, dev driver.Device, from *train.State, with Setting) (train.System, error)

// Plain returns the New of a system that depends only on the machine and the state.
func Plain[S train.System](build func(*server.Server, *train.State) S) New {
	return func(s *server.Server, _ driver.Device, from *train.State, _ Setting) (train.System, error) {
		return build(s, from), nil
	}
}

// Optioned returns the New of a system that also depends on its options.
func Optioned[O any, S train.System](build func(*server.Server, *train.State, O) (S, error)) New {
	return func(s *server.Server, _ driver.Device, from *train.State, with Setting) (train.System, error) {
		return build(s, from, *any(with.Options).(*O))
	}
}

// Options is a pointer to a struct with the tags of package gohcl.
type Options interface {
	// Check returns the name of the first option that is out of range, and an error.
	Check() (name string, err error)
}

// Scalable is implemented by options whose zero values are replaced according to the length of the
// training.
type Scalable interface {
	// Scale returns the options for a training with batches mini-batches of batch inputs; batches
	// is 0 if unknown.
	Scale(batch, batches int) Options
}

// Setting is the training that a system is built for.
type Setting struct {
	Options        Options
	GPUs           int // of all servers
	Batch, Batches int
	LearnShare     float64 // fraction of the mini-batches from which hot rows are learned
	Relearn        int     // mini-batches between learning epochs; 0 means that hot rows are learned once
	Seed           uint64
	Blocks         int // maximum number of hot rows in the accelerator
}

// Need is an estimate of a system's memory.
type Need struct {
	What            string
	Bytes           float64
	Attribute, Cure string // attribute of its block that determines the memory, and advice
}

// Driving is a system that drives an accelerator.
type Driving interface {
	train.System
	Driver() *driver.Driver
	// Use returns a summary of the accelerator's work in a training.
	Use(r train.Result) Use
}

// Use counts the work of an accelerator.
type Use struct {
	Inputs, Popular            int64
	Lookups                    int64
	HotRows, ColdRows, Updated int64
	LostInterrupts             int64
}

// Guarantee classifies the final parameters of a system.
type Guarantee int

// The guarantees.
const (
	Sequential  Guarantee = iota // bit-identical to sequential training, one mini-batch after the other
	OwnOrder                     // the same, in the system's own order of inputs
	Approximate                  // different: the system trains on stale values, or another model
)

// String returns the name of a guarantee in reports.
func (g Guarantee) String() string {
	return [...]string{"sequential", "own order", "approximate"}[g]
}

// With returns the guarantee with a setting.
func (d Description) With(s Setting) Guarantee {
	if d.Weakened != nil && d.Weakened(s) {
		return Approximate
	}
	return d.Guarantee
}

// Choose returns the systems with the given comma-separated names, or all systems.
func Choose(from []Description, names string) ([]Description, error) {
	if names == "all" {
		return from, nil
	}
	var known []string
	for _, d := range from {
		known = append(known, d.Name)
	}
	var list []Description
	for _, name := range strings.Split(names, ",") {
		i := slices.Index(known, name)
		if i < 0 {
			return nil, fmt.Errorf("there is no training system %q; expected all, or some of %s with commas in between", name, strings.Join(known, ", "))
		}
		if slices.ContainsFunc(list, func(d Description) bool { return d.Name == name }) {
			return nil, fmt.Errorf("training system %s is named twice", name)
		}
		list = append(list, from[i])
	}
	return list, nil
}
