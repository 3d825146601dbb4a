package fae

import (
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// Descriptions returns the description of the system.
func Descriptions() []registry.Description {
	o := DefaultOptions()
	return []registry.Description{{
		Name: "fae", Title: "FAE (VLDB 2022): mini-batches of inputs whose rows are all on the GPUs, and of the others",
		Guarantee: registry.OwnOrder, Block: "fae", Options: &o, Check: check,
		Mechanisms: []registry.Mechanism{{Count: CountPopular, Idle: "no input was popular"}, {Count: CountSwaps, Idle: "popular and other mini-batches never alternated"}},
		New: func(s *server.Server, _ driver.Device, from *train.State, with registry.Setting) (train.System, error) {
			return New(s, from, *with.Options.(*Options), with.Seed)
		},
	}}
}
