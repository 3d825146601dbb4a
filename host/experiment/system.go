package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/experiment/report"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/shadow"
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
	// Truth is what it is checked against once it is made; nil is sequential training
	// of the model.
	Truth func(s train.System, from *train.State) shadow.Truth
	// Check, unless nil, reports that it cannot train a model with a configuration. The
	// error begins with file and line.
	Check func(c *configs.Config, model rec.Config) error
	// Keeps, unless nil, is what it keeps in memory of so many inputs (0 if that is
	// not known) beside what all systems do.
	Keeps func(c *configs.Config, model rec.Config, inputs float64) need
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
func (p Promise) String() string {
	return [...]string{report.Sequential, report.OwnOrder, report.Approximate}[p]
}

// promised is what it promises with a configuration.
func (s System) promised(c *configs.Config) Promise {
	if s.Weakened != nil && s.Weakened(c) {
		return Approximate
	}
	return s.Promise
}

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
