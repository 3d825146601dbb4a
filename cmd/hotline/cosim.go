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
	"github.com/hotline-rtl/hotline/hw/ir"
)

// cosimFlags are the flags of hotline cosim.
type cosimFlags struct {
	config, data, engine string
	gpus, batches        int
	seed                 uint64
	json                 bool
	waves                waveFlags
	args                 []string // of the whole command line
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

Configuration and clicks are built in, so no flag is needed.

The accelerator is simulated by a compiled model: generated Go. Those of the
shipped configurations are built in. For another one, a program with its model is
built in seconds, kept for the next time, and run instead of this one; that takes
Go and the source of this project. If it cannot be, or if the run is over sooner,
the accelerator is interpreted. --engine compiled or interp leaves no choice.

--vcd records every signal, which takes the interpreter, time and space; together
with --engine compiled it records ports and registers only. --vcd-from and
--vcd-to choose a stretch of the run, by cycles of the accelerator's clock, as
5000, or by simulated time, as 20us or 1.5ms (ps, ns, us, ms, s). It begins with
the cycle of --vcd-from and ends before cycle --vcd-to, or with the cycle in which
that time is reached. At --vcd-limit the file ends with a complete time step, and
the run goes on.

A run that needs more memory than there is does not begin; what says how much
there is are /proc/meminfo and the limits of control groups.`,
		Example: `  hotline cosim
  hotline cosim --data criteo:train.txt --gpus 2
  hotline cosim --config configs/hotline.hcl --batches 2 --json
  hotline cosim --vcd run.vcd --vcd-from 1.2ms --vcd-to 1.3ms`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	s := c.Flags()
	s.StringVar(&f.config, "config", "", "configuration `FILE`.hcl (default: the embedded small.hcl)")
	s.StringVar(&f.data, "data", "", "`criteo:PATH`, rows of the Criteo Kaggle log, plain or gzip (default: generated clicks)")
	s.IntVar(&f.gpus, "gpus", 0, "`number` of GPUs (default: the configuration's)")
	s.IntVar(&f.batches, "batches", 0, "`number` of mini-batches (default: the configuration's, or all that --data has)")
	s.StringVar(&f.engine, "engine", engineAuto, engineUsage)
	s.Uint64Var(&f.seed, "seed", 0, "`seed` of the initial parameters and of generated clicks (default: the configuration's)")
	f.waves.define(c)
	s.BoolVar(&f.json, "json", false, "print the figures as one JSON object (docs/json.md)")
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
	if err := f.waves.check(cmd, cfg); err != nil {
		return usage(err)
	}
	ctx := cmd.Context()
	set, err := unless(ctx, func() (*data.Set, error) { return f.clicks(cmd, cfg) })
	if err != nil {
		return usage(err)
	}
	design, err := unless(ctx, func() (*ir.Design, error) { return elaborate(cfg) })
	if err != nil {
		return err
	}
	engine, err := f.choice(cfg, set).settle(cmd, design, cfg.Name)
	if err != nil {
		return err
	}
	return f.simulate(cmd, cfg, set, design, engine)
}

// simulate does the run. What goes wrong with its waveforms is said after its
// outcome.
func (f cosimFlags) simulate(cmd *cobra.Command, cfg *configs.Config, set *data.Set, design *ir.Design, engine string) error {
	p := newProgress(cmd.ErrOrStderr(), "mini-batches")
	w, err := f.waves.open(cfg, p.say)
	if err != nil {
		return usage(err)
	}
	accelerator, err := simulator(engine, design, w.recorder())
	if err != nil {
		_ = w.close() // the error, if it is about the file, is the same
		return err
	}
	report, err := cosim.Run(cmd.Context(), cosim.Job{
		Config: cfg, Data: set, Sim: accelerator, Engine: engine, Version: version(), Source: f.source(), Progress: p.show,
	})
	p.end()
	if err == nil {
		err = f.conclude(cmd.OutOrStdout(), report)
	}
	return errors.Join(err, w.close())
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

// clicks are read or generated. They fit the configuration and into memory.
func (f cosimFlags) clicks(cmd *cobra.Command, cfg *configs.Config) (*data.Set, error) {
	m := memory()
	if f.data == "" {
		return cosim.Clicks(cfg, m)
	}
	from := f.source()
	if from.Kind != "criteo" || from.Path == "" {
		return nil, fmt.Errorf("--data is %q; expected criteo:PATH", f.data)
	}
	inputs := 0 // all
	if cmd.Flags().Changed("batches") {
		inputs = cfg.Training.Batch * cfg.Training.Batches
	}
	set, err := loadCriteo(from.Path, inputs, m)
	if err != nil {
		return nil, err
	}
	if err := cosim.Check(cfg, set); err != nil {
		return nil, err
	}
	return set, cosim.CheckMemory(cfg, set, len(set.Samples), m)
}

// source is where --data says that clicks come from.
func (f cosimFlags) source() cosim.Source {
	kind, path, _ := strings.Cut(f.data, ":")
	return cosim.Source{Kind: kind, Path: path}
}

// loadCriteo reads that many rows of a file, 0 for all, but no more than there is
// memory for.
func loadCriteo(path string, inputs int, m cosim.Memory) (*data.Set, error) {
	most := int(min(m.Bytes/cosim.InputBytes(data.CriteoShape()), 1<<40))
	if inputs > 0 && inputs <= most {
		return data.LoadCriteo(path, inputs)
	}
	set, err := data.LoadCriteo(path, most+1)
	if err == nil && len(set.Samples) > most {
		return nil, fmt.Errorf("%s: there is memory for %d rows only (%s); take fewer with --batches", path, most, m)
	}
	return set, err
}

// choice is what decides on the engine. Whoever asks for waveforms and for no
// engine wants to see every signal.
func (f cosimFlags) choice(cfg *configs.Config, set *data.Set) choice {
	engine := f.engine
	if engine == engineAuto && f.waves.file != "" {
		engine = engineInterp
	}
	return choice{engine: engine, length: len(set.Samples) * cfg.DLRM(set).Lookups(), args: f.args}
}

// conclude prints the report; the error is that the check failed.
func (f cosimFlags) conclude(w io.Writer, r *cosim.Report) error {
	if f.json {
		if err := printJSON(w, r); err != nil {
			return err
		}
	} else {
		if err := r.Print(w); err != nil {
			return err
		}
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
