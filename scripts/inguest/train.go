//go:build linux

package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"time"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/experiment"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/vfio"
)

// trainModel trains the default model on so many mini-batches with the card, and
// prints the digest of its checkpoint. Host memory and GPUs are simulated here, but
// their bytes lie in memory of the guest that the card reaches.
func trainModel(dev *vfio.Device, miniBatches int) error {
	c := configs.Small()
	clicks, err := experiment.Clicks(c)
	if err != nil {
		return err
	}
	model := c.For(clicks.Shape())
	from, err := train.Initial(model, c.Training.Seed)
	if err != nil {
		return err
	}
	batches, err := train.NewBatches(model, clicks, c.Training.Batch, int64(miniBatches*c.Training.Batch))
	if err != nil {
		return err
	}
	defer func() { _ = batches.Close() }()
	system, err := systemOf(c, dev, from)
	if err != nil {
		return err
	}
	begun := time.Now()
	result, err := train.Run(system, batches, train.Unwatched{}, nil)
	if err != nil {
		return err
	}
	latest, err := batches.At(result.MiniBatches - 1)
	if err != nil {
		return err
	}
	fmt.Printf("%d mini-batches in %.1f s, %+v\n", result.MiniBatches, time.Since(begun).Seconds(), system.Driver().Survived())
	state, err := from.After(system)
	if err != nil {
		return err
	}
	return printDigest(&checkpoint.Checkpoint{
		State: state, Batch: c.Training.Batch, Data: clicks.Name(), MiniBatches: result.MiniBatches, Inputs: int64(result.Inputs), Latest: checkpoint.Digest(latest),
	})
}

// systemOf is Hotline as the configuration describes it, on a machine with an empty
// slot. The card takes as long as it is simulated, so a command has a minute.
func systemOf(c *configs.Config, dev *vfio.Device, from *train.State) (*hotline.System, error) {
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

// printDigest prints the SHA-256 of a checkpoint, which is that of the file that
// hotline train writes if the trainings are the same, bit by bit.
func printDigest(c *checkpoint.Checkpoint) error {
	const path = "/checkpoint"
	if err := checkpoint.Write(path, c); err != nil {
		return err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	fmt.Printf("checkpoint %x\n", sha256.Sum256(b))
	return nil
}
