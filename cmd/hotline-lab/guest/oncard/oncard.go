// Package oncard trains the default model with an accelerator that another program simulates. Host
// memory and GPUs are simulated in this process, in memory that the accelerator can access. The
// checkpoint is bit-identical to the checkpoint of a training without an accelerator.
package oncard

import (
	"time"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
	"github.com/hotline-rtl/hotline/host/train/hotline"
)

// Device is an accelerator as its driver sees it.
type Device interface {
	driver.Device
	// Map returns n zeroed bytes that the accelerator accesses at address addr.
	Map(addr uint64, n int) ([]byte, error)
}

// Train trains on miniBatches mini-batches and calls done, unless it is nil, after each. It returns
// the checkpoint and the faults from which the driver recovered.
func Train(dev Device, miniBatches int, done func()) (*checkpoint.Checkpoint, driver.Survived, error) {
	c := configs.Small()
	clicks, err := experiment.Clicks(c)
	if err != nil {
		return nil, driver.Survived{}, err
	}
	model := c.For(clicks.Shape())
	from, err := train.Initial(model, c.Training.Seed)
	if err != nil {
		return nil, driver.Survived{}, err
	}
	batches, err := train.NewBatches(model, clicks, c.Training.Batch, int64(miniBatches*c.Training.Batch))
	if err != nil {
		return nil, driver.Survived{}, err
	}
	defer func() { _ = batches.Close() }()
	system, err := systemOf(c, dev, from)
	if err != nil {
		return nil, driver.Survived{}, err
	}
	survived := func() driver.Survived { return system.Driver().Survived() }
	result, err := train.Run(system, batches, train.Unwatched{}, func(train.Step) error {
		if done != nil {
			done()
		}
		return nil
	})
	if err != nil {
		return nil, survived(), err
	}
	latest, err := batches.At(result.MiniBatches - 1)
	if err != nil {
		return nil, survived(), err
	}
	state, err := from.After(system)
	if err != nil {
		return nil, survived(), err
	}
	return &checkpoint.Checkpoint{
		State: state, Batch: c.Training.Batch, Data: clicks.Name(), MiniBatches: result.MiniBatches, Inputs: int64(result.Inputs), Latest: checkpoint.Digest(latest),
	}, survived(), nil
}

// systemOf returns the Hotline system of the configuration on a server whose slot is empty. A
// simulated accelerator is slow, so the deadline of a command is one minute.
func systemOf(c *configs.Config, dev Device, from *train.State) (*hotline.System, error) {
	machine := server.DefaultConfig()
	machine.GPUs, machine.Place = c.Training.GPUs, dev.Map
	s, err := server.New(machine)
	if err != nil {
		return nil, err
	}
	o := hotline.DefaultOptions()
	o.Sample, o.Relearn = c.Training.LearnShare, c.Training.Relearn
	o.Driver = driver.Options{RingLog2: o.Driver.RingLog2, Deadline: time.Minute, Retries: o.Driver.Retries}
	return hotline.New(s, dev, from, o)
}
