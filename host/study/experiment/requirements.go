package experiment

import (
	"errors"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/ui/format"
)

// Clicks returns the endless source of generated samples of a configuration.
func Clicks(c *configs.Config) (data.Source, error) {
	return gen.New(c.Clicks(), math.MaxInt64)
}

// Check returns an error if the machine is invalid, if the model does not fit the data, or if no
// system can train the model. It runs nothing. The error begins with file and line of the
// configuration.
func Check(c *configs.Config, source data.Source, systems []registry.Description) error {
	model, gpus := c.For(source.Shape()), c.Training.GPUs*c.Training.Nodes
	if err := model.Validate(); err != nil {
		return c.Errorf("model", "", "%v", err)
	}
	if err := train.Fits(model, source); err != nil {
		return c.Errorf("model", "", "%v", err)
	}
	if gpus > server.MaxGPUs {
		return c.Errorf("training", "gpus", "%s with %s each, %d in all; expected at most %d in all", format.Plural(c.Training.Nodes, "server"), format.Plural(c.Training.GPUs, "GPU"), gpus, server.MaxGPUs)
	}
	if err := serverOf(c).Check(); err != nil {
		return c.Errorf("training", "machine", "%v", err)
	}
	var errs []error
	for _, s := range systems {
		err := Unmet(s, c, source)
		if err == nil {
			return nil
		}
		if !slices.ContainsFunc(errs, func(e error) bool { return e.Error() == err.Error() }) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Unmet returns an error if a system lacks a requirement for this model, machine or data: its own
// check fails, or the model does not fit the accelerator. The error begins like an error of Check.
func Unmet(d registry.Description, c *configs.Config, source data.Source) error {
	model := c.For(source.Shape())
	if d.Check != nil {
		if attribute, err := d.Check(model, c.Setting(d)); err != nil {
			return c.Errorf(d.Block, attribute, "%v", err)
		}
	}
	if d.Accelerated {
		t := registry.Training{Model: model, Of: source.Name(), GPUs: c.Training.GPUs * c.Training.Nodes, Batch: c.Training.Batch}
		if block, attribute, err := registry.Misfit(c.Accelerator.Geometry(), t); err != nil {
			return c.Errorf(block, attribute, "%v", err)
		}
	}
	return nil
}
