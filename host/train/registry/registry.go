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
	Name  string // by which it can be asked for
	Title string // a line of help
	// Accelerated reports that it needs an accelerator in the slot. It is [Driving] then.
	Accelerated bool
	Guarantee   Guarantee
	// Block is the name of its block in a configuration, which it may share with other
	// systems, and Options has the defaults of the block. Without a block it gets Options
	// as they are.
	Block   string
	Options Options
	// New builds it on a machine, with a model that begins as in a state; dev is in the
	// slot, nil if that is empty.
	New New
	// Truth is the reference of its checks; nil is sequential training of the model.
	Truth func(s train.System, from *train.State) consistency.Truth
	// Check, unless nil, reports that it cannot train a model, and the attribute of its
	// block that is the reason.
	Check func(model dlrm.Config, with Setting) (attribute string, err error)
	// Keeps, unless nil, estimates the memory that it keeps for so many inputs (0 if that
	// is not known), in addition to what all systems keep.
	Keeps func(model dlrm.Config, with Setting, inputs float64) Need
	// Weakened, unless nil, reports that a setting makes it Approximate.
	Weakened func(with Setting) bool
}

// New builds a system.
type New func(s *server.Server, dev driver.Device, from *train.State, with Setting) (train.System, error)

// Plain is the New of a system that depends on the machine and the state only.
func Plain[S train.System](build func(*server.Server, *train.State) S) New {
	return func(s *server.Server, _ driver.Device, from *train.State, _ Setting) (train.System, error) {
		return build(s, from), nil
	}
}

// Optioned is the New of a system that depends on its options, too.
func Optioned[O any, S train.System](build func(*server.Server, *train.State, O) (S, error)) New {
	return func(s *server.Server, _ driver.Device, from *train.State, with Setting) (train.System, error) {
		return build(s, from, *any(with.Options).(*O))
	}
}

// Options are a pointer to a struct with the tags of package gohcl.
type Options interface {
	// Check reports the first option that is out of range, and its name.
	Check() (name string, err error)
}

// Scalable are options of which some, if zero, depend on the length of the training.
type Scalable interface {
	// Scale returns the options for a training with so many mini-batches of so many
	// inputs; batches is 0 if it is not known.
	Scale(batch, batches int) Options
}

// Setting is the training that a system is built for.
type Setting struct {
	Options        Options
	GPUs           int // of all servers
	Batch, Batches int
	LearnShare     float64 // of the mini-batches, from which hot rows are learned
	Relearn        int     // mini-batches after which they are learned again; 0 is never
	Seed           uint64
	Blocks         int // rows that can be hot in the accelerator
}

// Need is memory that a system keeps.
type Need struct {
	What            string
	Bytes           float64
	Attribute, Cure string // of its block: what it grows with, and what to do
}

// Driving is a system that drives an accelerator.
type Driving interface {
	train.System
	Driver() *driver.Driver
	// Use sums up what the accelerator did in a training.
	Use(r train.Result) Use
}

// Use counts what an accelerator did.
type Use struct {
	Inputs, Popular            int64
	Lookups                    int64
	HotRows, ColdRows, Updated int64
	LostInterrupts             int64
}

// Guarantee says which parameters a system ends with.
type Guarantee int

// The guarantees.
const (
	Sequential  Guarantee = iota // as training on one mini-batch after the other, bit by bit
	OwnOrder                     // the same, in its own order of inputs
	Approximate                  // others: it trains on old values, or on another model
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

// Choose finds systems by names with commas in between, or all.
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
