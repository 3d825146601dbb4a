package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/cosim"
	"github.com/hotline-rtl/hotline/host/rec/data"
)

// cosimFlags are the flags of hotline cosim.
type cosimFlags struct {
	config, data, engine, vcd string
	gpus, batches             int
	seed                      uint64
	json                      bool
	args                      []string // of the whole command line
}

func cosimCommand(args []string) *cobra.Command {
	f := cosimFlags{args: args}
	c := &cobra.Command{
		Use:   "cosim",
		Short: "Train with the accelerator and with the baseline, and compare every parameter",
		Long: `Trains a recommendation model twice on the same mini-batches: on a machine with
the hybrid CPU-GPU baseline, and on one whose GPUs are fed by the simulated
accelerator behind PCIe. At the end it prints what happened and compares every
parameter of the two models, bit by bit. If one differs, the exit code is 1.

Configuration and clicks are built in, so no flag is needed.`,
		Example: `  hotline cosim
  hotline cosim --data criteo:train.txt --gpus 2
  hotline cosim --config configs/hotline.hcl --batches 2 --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	s := c.Flags()
	s.StringVar(&f.config, "config", "", "configuration `FILE`.hcl (default: the embedded small.hcl)")
	s.StringVar(&f.data, "data", "", "`criteo:PATH`, rows of the Criteo Kaggle log, plain or gzip (default: generated clicks)")
	s.IntVar(&f.gpus, "gpus", 0, "`number` of GPUs (default: the configuration's)")
	s.IntVar(&f.batches, "batches", 0, "`number` of mini-batches (default: the configuration's, or all that --data has)")
	s.StringVar(&f.engine, "engine", engineAuto, "simulation `engine`: compiled (built if needed), interp, or auto")
	s.Uint64Var(&f.seed, "seed", 0, "`seed` of the initial parameters and of generated clicks (default: the configuration's)")
	s.StringVar(&f.vcd, "vcd", "", "write the accelerator's waveforms to `FILE`, which takes time and space")
	s.BoolVar(&f.json, "json", false, "print the figures as one JSON object")
	return c
}

func (f cosimFlags) run(cmd *cobra.Command) error {
	if err := checkEngine(f.engine); err != nil {
		return usage(err)
	}
	cfg, err := f.configuration(cmd)
	if err != nil {
		return usage(err)
	}
	set, err := f.clicks(cmd, cfg)
	if err != nil {
		return usage(err)
	}
	design, err := elaborate(cfg)
	if err != nil {
		return err
	}
	if done, err := f.rebuilt(cmd, design, cfg); done || err != nil {
		return err
	}
	e, err := f.simulator(cmd, design, cfg)
	if err != nil {
		return err
	}
	p := newProgress(cmd.ErrOrStderr(), "mini-batches")
	report, err := cosim.Run(cosim.Job{Config: cfg, Data: set, Sim: e.Simulator, Engine: e.name, Progress: p.show})
	p.end()
	if err = errors.Join(err, e.done()); err != nil {
		return err
	}
	return f.conclude(cmd.OutOrStdout(), report)
}

// configuration is the file's with what flags change.
func (f cosimFlags) configuration(cmd *cobra.Command) (*configs.Config, error) {
	cfg, err := configuration(f.config)
	if err != nil {
		return nil, err
	}
	given := cmd.Flags().Changed
	if given("gpus") {
		if f.gpus < 1 || f.gpus > cfg.Accelerator.GPUs {
			return nil, fmt.Errorf("--gpus is %d; the accelerator of %s takes 1 to %d", f.gpus, cfg.Name, cfg.Accelerator.GPUs)
		}
		cfg.Training.GPUs = f.gpus
	}
	if given("batches") {
		if f.batches < 1 {
			return nil, fmt.Errorf("--batches is %d; expected at least 1", f.batches)
		}
		cfg.Training.Batches = f.batches
	}
	if given("seed") {
		cfg.Training.Seed = f.seed
	}
	return cfg, nil
}

// clicks are read or generated. They fit the configuration.
func (f cosimFlags) clicks(cmd *cobra.Command, cfg *configs.Config) (*data.Set, error) {
	if f.data == "" {
		return cosim.Clicks(cfg)
	}
	kind, path, _ := strings.Cut(f.data, ":")
	if kind != "criteo" || path == "" {
		return nil, fmt.Errorf("--data is %q; expected criteo:PATH", f.data)
	}
	inputs := 0 // all
	if cmd.Flags().Changed("batches") {
		inputs = cfg.Training.Batch * cfg.Training.Batches
	}
	set, err := data.LoadCriteo(path, inputs)
	if err != nil {
		return nil, err
	}
	return set, cosim.Check(cfg, set)
}

// conclude prints the report; the error is that the check failed.
func (f cosimFlags) conclude(w io.Writer, r *cosim.Report) error {
	if f.json {
		if err := printJSON(w, r); err != nil {
			return err
		}
	} else {
		r.Print(w)
	}
	if !r.ParametersIdentical {
		return failed(fmt.Errorf("the parameters differ: %s", r.Difference))
	}
	return nil
}

// printJSON prints an object on a line.
func printJSON(w io.Writer, object any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(object)
}
