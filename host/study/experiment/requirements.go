package experiment

import (
	"errors"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
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
		return c.Errorf("training", "gpus", "%s with %d GPUs are %d GPUs; expected at most %d", format.Plural(c.Training.Nodes, "server"), c.Training.GPUs, gpus, server.MaxGPUs)
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
		return checkAccelerator(c, source.Name(), model, c.Training.GPUs*c.Training.Nodes)
	}
	return nil
}

func checkAccelerator(c *configs.Config, name string, model dlrm.Config, gpus int) error {
	a, batch := c.Accelerator, c.Training.Batch
	lookups, rows := model.Lookups(), model.Rows()
	step := 2 * a.Engines // granularity of edram_words
	switch words := batch * lookups; {
	case gpus > a.GPUs:
		return c.Errorf("accelerator", "gpus", "gpus is %d, but %d GPUs are to train: use an accelerator for more, of which there are some for up to %d, or systems without one",
			a.GPUs, gpus, arch.MaxGPUs)
	case lookups > a.Slots:
		return c.Errorf("accelerator", "slots", "slots is %d, but an input of %s has %d lookups", a.Slots, name, lookups)
	case lookups < a.Geometry().LeastSlots():
		return c.Errorf("accelerator", "engines", "engines is %d, but an input of %s has %d lookups, which feed at most %d", a.Engines, name, lookups, arch.MostEnds*lookups)
	case len(model.Bags()) > a.Tables:
		return c.Errorf("accelerator", "tables", "tables is %d, but an input of %s has %d bags", a.Tables, name, len(model.Bags()))
	case rows > 1<<a.IDBits():
		return c.Errorf("accelerator", "tag_bits", "tag_bits is %d, which with %d sets makes row ids of %d bits, enough for %d rows, but the tables of %s have %d",
			a.TagBits, a.Sets(), a.IDBits(), 1<<a.IDBits(), name, rows)
	case words > a.HalfWords():
		return c.Errorf("training", "batch", "a mini-batch of %d inputs with %d lookups each has %d words, but half of the accelerator's eDRAM holds %d: use a batch of at most %d, or edram_words of at least %d",
			batch, lookups, words, a.HalfWords(), a.HalfWords()/lookups, (2*words+step-1)/step*step)
	}
	return nil
}
