package cdlrm

import (
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// Descriptions returns the descriptions of cDLRM and of the authors' program, which share a block.
// In the block, 0 selects a value that fits the training.
func Descriptions() []registry.Description {
	list := []registry.Description{
		{Name: "cdlrm", Title: "cDLRM (RecSys 2021): GPUs cache the rows of a look-ahead window", New: build(false), Weakened: averages},
		{Name: "cdlrm-paper", Title: "the same as its authors released it: reads old rows, loses updates", Guarantee: registry.Approximate, New: build(true)},
	}
	o := &Options{}
	for i := range list {
		d := &list[i]
		d.Block, d.Options, d.Check = "cdlrm", o, check
		d.Mechanisms = []registry.Mechanism{{Count: CountEvicted, Idle: "the caches held all rows that were read, so none was evicted"}}
	}
	return list
}

func build(released bool) registry.New {
	return func(s *server.Server, _ driver.Device, from *train.State, set registry.Setting) (train.System, error) {
		o := *set.Options.(*Options)
		o.Released = released
		return New(s, from, o)
	}
}

// Scale implements registry.Scalable.
func (o *Options) Scale(batch, batches int) registry.Options {
	fit := o.Scaled(batch, batches)
	return &fit
}

func check(model dlrm.Config, set registry.Setting) (attribute string, err error) {
	return "lambda", set.Options.(*Options).CheckModel(model)
}

// averages reports whether the GPUs update their caches separately and average them.
func averages(set registry.Setting) bool { return !set.Options.(*Options).Sequential() }
