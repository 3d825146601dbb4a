package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/elrec"
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
		{Name: "elrec", Title: "EL-Rec (SC 2022): large tables in tensor-train form on the GPUs, products reused", Promise: Approximate, New: newELRec},
		{Name: "tt-rec", Title: "TT-Rec (MLSys 2021): the same form, multiplied lookup by lookup", Promise: Approximate, New: newTTRec},
	}
}

func newHybrid(s *server.Server, _ driver.Device, from *train.State, _ *configs.Config) (train.System, error) {
	return hybrid.New(s, from), nil
}

func newHotline(s *server.Server, dev driver.Device, from *train.State, c *configs.Config) (train.System, error) {
	t := c.Training
	return hotline.New(s, dev, from, hotline.Options{Sample: t.LearnShare, Relearn: t.Relearn, Driver: driver.DefaultOptions()})
}

func newELRec(s *server.Server, _ driver.Device, from *train.State, c *configs.Config) (train.System, error) {
	return elrec.New(s, from, *c.ELRec)
}

func newTTRec(s *server.Server, _ driver.Device, from *train.State, c *configs.Config) (train.System, error) {
	return elrec.NewTTRec(s, from, *c.ELRec)
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
