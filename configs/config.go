package configs

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Config is a complete configuration.
type Config struct {
	Name        string       // of the file, without folder and extension
	Base        string       `hcl:"base,optional" default:"none" doc:"shipped configuration, small or paper, that all absent attributes and blocks are taken from"`
	ClockMHz    int          `hcl:"clock_mhz" unit:"MHz" doc:"clock of the accelerator"`
	Accelerator *arch.Params `hcl:"accelerator,block"`
	Model       *Model       `hcl:"model,block"`
	Training    *Training    `hcl:"training,block"`

	// Optimiser is nil if the model determines it: plain SGD, or the optimiser of a preset.
	Optimiser *Optimiser `hcl:"optimiser,block"`

	// Each of these blocks has a default as a whole.
	Data   *Data        `hcl:"data,block"`
	Link   *link.Config `hcl:"link,block"`
	Straps *link.Straps `hcl:"function,block"`

	// Options contains the blocks of training systems, by name.
	Options map[string]registry.Options

	machine *machine.Machine
	profile timing.Profile
	places  places
}

// Model describes the DLRM to train. The data set determines its inputs and tables.
type Model struct {
	Dim          int     `hcl:"dim" doc:"values in an embedding row"`
	Bottom       []int   `hcl:"bottom" doc:"widths of the hidden layers of the bottom MLP"`
	Top          []int   `hcl:"top" doc:"widths of the hidden layers of the top MLP"`
	LearningRate float64 `hcl:"learning_rate" doc:"step of the gradient descent"`
	Preset       string  `hcl:"preset,optional" doc:"model of a paper, which replaces the other attributes"`
}

// Training describes the training run.
type Training struct {
	GPUs       int     `hcl:"gpus" doc:"GPUs of a server"`
	Batch      int     `hcl:"batch" unit:"samples" doc:"size of a mini-batch, over all GPUs"`
	Batches    int     `hcl:"batches" unit:"mini-batches" doc:"length of an epoch"`
	LearnShare float64 `hcl:"learn_share" doc:"share of a learning epoch's mini-batches from which the accelerator learns"`
	Relearn    int     `hcl:"relearn" unit:"mini-batches" doc:"length of a learning epoch; 0: learn once"`
	Seed       uint64  `hcl:"seed" doc:"seed of parameters and samples"`

	// The order of the samples, and those that are held out.
	Epochs   int     `hcl:"epochs,optional" doc:"passes over the training samples"`
	Shuffle  int     `hcl:"shuffle,optional" unit:"samples" doc:"window within which each epoch is shuffled; 0: order of the data"`
	HeldOut  float64 `hcl:"held_out,optional" unit:"samples" doc:"samples to evaluate on; below 1: their share"`
	Split    string  `hcl:"split,optional" doc:"samples that are held out: the last, or random ones"`
	Patience int     `hcl:"patience,optional" unit:"epochs" doc:"epochs without a lower held-out loss that end the training; 0: never"`

	// Parameters of simulated time; see host/train/machine and host/train/timing.
	Nodes   int    `hcl:"nodes,optional" doc:"servers"`
	Machine string `hcl:"machine,optional" doc:"name or file of the machine"`
	Profile string `hcl:"profile,optional" doc:"name or file of the software profile"`
}

// defaultTraining returns the values of optional attributes that are absent.
func defaultTraining() Training {
	return Training{Epochs: 1, Split: SplitLast, Nodes: 1, Machine: "v100", Profile: "hotline-2024-a"}
}

// Values of the attribute split.
const (
	SplitLast   = "last"
	SplitRandom = "random"
)

// MiniBatches returns the length of the run, or 0 if the data limit it.
func (t *Training) MiniBatches() int { return t.Epochs * t.Batches }

// Data changes the parameters of the sample generator, which is used when no data set is given.
type Data struct {
	Rows    map[string]int `hcl:"rows,optional" default:"as in the Criteo log" doc:"rows of some tables, by name (C1 to C26)"`
	Lookups map[string]int `hcl:"lookups,optional" default:"1" doc:"lookups per sample in some tables, by name"`

	// Repetition of samples; see gen.Params.
	Contexts    *int     `hcl:"contexts,optional" doc:"contexts that samples belong to, such as kinds of users"`
	ContextZipf *float64 `hcl:"context_zipf,optional" doc:"exponent of the contexts' popularity"`
	List        *int     `hcl:"list,optional" unit:"rows" doc:"list of a context and a table"`
	Rho         *float64 `hcl:"rho,optional" doc:"probability that a lookup selects a row of its list"`
}

// repetition returns the attributes of a generator's parameters that concern repetition.
func repetition(p gen.Params) Data {
	return Data{Contexts: &p.Contexts, ContextZipf: &p.ContextZipf, List: &p.List, Rho: &p.Rho}
}

// Clicks returns the generator's parameters: CriteoLike with the changes of the configuration.
func (c *Config) Clicks() gen.Params {
	p := gen.CriteoLike(c.Training.Seed)
	c.Data.change(&p)
	return p
}

func (d *Data) change(p *gen.Params) {
	for i := range p.Tables {
		t := &p.Tables[i]
		if n, ok := d.Rows[t.Name]; ok {
			t.Rows = n
		}
		if n, ok := d.Lookups[t.Name]; ok {
			t.Lookups = n
		}
	}
	override(&p.Contexts, d.Contexts)
	override(&p.ContextZipf, d.ContextZipf)
	override(&p.List, d.List)
	override(&p.Rho, d.Rho)
}

func override[T any](to, with *T) {
	if with != nil {
		*to = *with
	}
}

// For returns the model for data of the given shape: the preset with the tables of the shape, or
// the DLRM of the configuration. With a block of the optimiser, optimiser and learning rate are
// from the file, also for a preset.
func (c *Config) For(shape data.Shape) dlrm.Config {
	if p, ok := dlrm.Preset(c.Model.Preset); ok {
		p.Tables = shape.Tables
		return c.optimise(p)
	}
	m := c.Model
	return c.optimise(dlrm.Config{
		Name:  "dlrm",
		Dense: shape.Dense, Tables: shape.Tables, Dim: m.Dim,
		Bottom:       append(append([]int{shape.Dense}, m.Bottom...), m.Dim),
		Top:          append(append([]int{}, m.Top...), 1),
		LearningRate: float32(m.LearningRate),
	})
}

// Machine returns the machine description of the training.
func (c *Config) Machine() *machine.Machine { return c.machine }

// Profile returns the software profile of the training.
func (c *Config) Profile() timing.Profile { return c.profile }

// SetPreset selects a model from the papers.
func (c *Config) SetPreset(name string) error {
	if _, ok := dlrm.Preset(name); !ok {
		return fmt.Errorf("there is no model %q; expected %s", name, presets())
	}
	c.Model.Preset = name
	return nil
}

// presets returns the names of the models from the papers.
func presets() string {
	var known []string
	for _, p := range dlrm.Presets() {
		known = append(known, p.Name)
	}
	return strings.Join(known, ", ")
}

// SetMachine selects another machine by name or file.
func (c *Config) SetMachine(name string) error {
	m, err := machine.Load(name)
	if err == nil {
		c.machine, c.Training.Machine = m, name
	}
	return err
}

// SetProfile selects another software profile by name or file.
func (c *Config) SetProfile(name string) error {
	p, err := timing.LoadProfile(name)
	if err == nil {
		c.profile, c.Training.Profile = p, name
	}
	return err
}

// Period returns the accelerator's clock period.
func (c *Config) Period() des.Time { return des.Period(1e6 * float64(c.ClockMHz)) }
