package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/cosim"
	"github.com/hotline-rtl/hotline/host/rec/data"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// cosimFlags are the flags of hotline cosim.
type cosimFlags struct {
	config, data, engine, vcd string
	gpus, batches             int
	seed                      uint64
	json                      bool
}

func cosimCommand() *cobra.Command {
	var f cosimFlags
	c := &cobra.Command{
		Use:   "cosim",
		Short: "Train a model with the accelerator and with the baseline, and compare every parameter",
		Long: `Trains a recommendation model twice on the same mini-batches: on a machine with
the hybrid CPU-GPU baseline, and on one whose GPUs are fed by the simulated
accelerator behind PCIe. At the end every parameter of both is compared, bit
by bit; the command fails if one differs.

Without flags it runs in seconds on embedded defaults:

  hotline cosim
  hotline cosim --data criteo:train.txt --gpus 2
  hotline cosim --config configs/hotline.hcl --batches 2 --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd)
		},
	}
	s := c.Flags()
	s.StringVar(&f.config, "config", "", "configuration `FILE`.hcl (default: the embedded small.hcl)")
	s.StringVar(&f.data, "data", "", "`criteo:PATH`: rows of the Criteo Kaggle log, plain or gzip (default: generated clicks)")
	s.IntVar(&f.gpus, "gpus", 0, "`number` of GPUs (default: the configuration's)")
	s.IntVar(&f.batches, "batches", 0, "`number` of mini-batches (default: the configuration's; all of a data set)")
	s.StringVar(&f.engine, "engine", "interp", "simulation `engine`: interp")
	s.Uint64Var(&f.seed, "seed", 0, "seed of parameters and generated clicks (default: the configuration's)")
	s.StringVar(&f.vcd, "vcd", "", "write the accelerator's waveforms to `FILE`")
	s.BoolVar(&f.json, "json", false, "print the figures as one JSON object")
	return c
}

func (f cosimFlags) run(cmd *cobra.Command) error {
	cfg, err := f.configuration(cmd)
	if err != nil {
		return err
	}
	set, err := f.load(cmd, cfg)
	if err != nil {
		return usage(err)
	}
	job := cosim.Job{Config: cfg, Data: set, Engine: f.engine, Progress: progress(cmd.ErrOrStderr())}
	if err := job.Check(); err != nil {
		return usage(err)
	}
	design, err := elaborate(cfg)
	if err != nil {
		return err
	}
	s, done, err := f.simulator(design, cfg)
	if err != nil {
		return err
	}
	job.Sim = s
	report, err := cosim.Run(job)
	if err = errors.Join(err, done()); err != nil {
		return err
	}
	if err := f.print(cmd.OutOrStdout(), report); err != nil {
		return err
	}
	if !report.ParametersIdentical {
		return failed(fmt.Errorf("the parameters differ: %s", report.Difference))
	}
	return nil
}

func (f cosimFlags) configuration(cmd *cobra.Command) (*configs.Config, error) {
	cfg, err := configuration(f.config)
	if err != nil {
		return nil, err
	}
	if set := cmd.Flags().Changed; set("gpus") {
		if f.gpus < 1 || f.gpus > cfg.Accelerator.GPUs {
			return nil, usage(fmt.Errorf("--gpus is %d; the accelerator of %s takes 1 to %d", f.gpus, cfg.Name, cfg.Accelerator.GPUs))
		}
		cfg.Training.GPUs = f.gpus
	}
	if cmd.Flags().Changed("batches") {
		if f.batches < 1 {
			return nil, usage(fmt.Errorf("--batches is %d; expected at least 1", f.batches))
		}
		cfg.Training.Batches = f.batches
	}
	if cmd.Flags().Changed("seed") {
		cfg.Training.Seed = f.seed
	}
	return cfg, nil
}

// load reads or generates the clicks.
func (f cosimFlags) load(cmd *cobra.Command, cfg *configs.Config) (*data.Set, error) {
	inputs := cfg.Training.Batch * cfg.Training.Batches
	if f.data == "" {
		return data.Generate(cfg.Clicks(), inputs)
	}
	kind, path, ok := strings.Cut(f.data, ":")
	if !ok || kind != "criteo" {
		return nil, fmt.Errorf("--data is %q; expected criteo:PATH", f.data)
	}
	if !cmd.Flags().Changed("batches") {
		inputs = 0
	}
	return data.LoadCriteo(path, inputs)
}

// simulator makes the engine; done closes what it writes.
func (f cosimFlags) simulator(d *ir.Design, cfg *configs.Config) (s sim.Simulator, done func() error, err error) {
	if f.engine != "interp" {
		return nil, nil, usage(fmt.Errorf("--engine is %q; expected interp", f.engine))
	}
	if f.vcd == "" {
		s, err = interp.New(d)
		return s, func() error { return nil }, err
	}
	file, err := os.Create(f.vcd)
	if err != nil {
		return nil, nil, usage(err)
	}
	v := wave.NewVCD(file, uint64(cfg.Period()))
	s, err = interp.New(d, interp.AllSignals(), interp.Record(v))
	return s, func() error { return errors.Join(v.Close(), file.Close()) }, err
}

func (f cosimFlags) print(w io.Writer, r *cosim.Report) error {
	if !f.json {
		r.Print(w)
		return nil
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(r)
}
