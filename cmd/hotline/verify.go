package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/cosim"
	"github.com/hotline-rtl/hotline/host/rec/data"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	verilog "github.com/hotline-rtl/hotline/sim/cosim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// verifyFlags are the flags of hotline verify.
type verifyFlags struct {
	config, stimulus string
	cycles, seed     uint64
	json             bool
}

func verifyCommand() *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use:   "verify",
		Short: "Run the Go simulation and Verilator in lock-step and compare every port, every cycle",
		Long: `Generates the Verilog of a configuration, builds it with Verilator, and drives
it and the Go simulation with the same inputs: random ones with random
back-pressure, and those of a recorded co-simulation (two mini-batches). Every
output port is compared in every cycle. On the first difference it shows cycle,
port, both values, where the port is described, and the last cycles as a
waveform, and exits with 1.

  hotline verify --cycles 1000000 --seed 7
  hotline verify --config configs/hotline.hcl --stimulus random`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	s := c.Flags()
	s.StringVar(&f.config, "config", "", "configuration `FILE`.hcl (default: the embedded small.hcl)")
	s.Uint64Var(&f.cycles, "cycles", 100_000, "most cycles of each stimulus")
	s.Uint64Var(&f.seed, "seed", 1, "seed of the random stimulus")
	s.StringVar(&f.stimulus, "stimulus", "all", "`kind` of inputs: random, recorded or all")
	s.BoolVar(&f.json, "json", false, "print the outcome as one JSON object")
	return c
}

// outcome is what verify prints as JSON: sums over the stimuli.
type outcome struct {
	Config      string `json:"config"`
	Cycles      uint64 `json:"cycles"`
	Ports       int    `json:"ports"` // outputs compared
	Differences uint64 `json:"differences"`
	Random      uint64 `json:"cycles_random"`
	Recorded    uint64 `json:"cycles_recorded"`
	First       string `json:"first,omitempty"` // the first difference
}

func (f verifyFlags) run(cmd *cobra.Command) error {
	if f.stimulus != "all" && f.stimulus != "random" && f.stimulus != "recorded" {
		return usage(fmt.Errorf("--stimulus is %q; expected random, recorded or all", f.stimulus))
	}
	cfg, err := configuration(f.config)
	if err != nil {
		return err
	}
	design, err := elaborate(cfg)
	if err != nil {
		return err
	}
	log := cmd.ErrOrStderr()
	out := outcome{Config: cfg.Name}
	for _, kind := range []string{"random", "recorded"} {
		if f.stimulus != "all" && f.stimulus != kind {
			continue
		}
		stimulus, err := f.inputs(kind, design, cfg, log)
		if err != nil {
			return err
		}
		report, err := f.compare(design, stimulus, kind, log)
		if err != nil {
			return err
		}
		out.add(kind, report)
		if !f.json {
			fmt.Fprintf(cmd.OutOrStdout(), "%-8s  %v\n", kind, report)
		}
		if report.First != nil {
			out.First = report.First.Error()
			break
		}
	}
	if f.json {
		if err := json.NewEncoder(cmd.OutOrStdout()).Encode(out); err != nil {
			return err
		}
	}
	if out.First != "" {
		return failed(errors.New(out.First))
	}
	return nil
}

func (o *outcome) add(kind string, r sim.Report) {
	o.Cycles += r.Cycles
	o.Ports = r.Ports
	o.Differences += r.Differences
	if kind == "random" {
		o.Random = r.Cycles
	} else {
		o.Recorded = r.Cycles
	}
}

// inputs makes a stimulus.
func (f verifyFlags) inputs(kind string, d *ir.Design, cfg *configs.Config, log io.Writer) (sim.Stimulus, error) {
	format := sim.NewFormat(sim.PortsOf(d))
	if kind == "random" {
		return sim.Random(format, f.seed), nil
	}
	fmt.Fprintln(log, "recording a co-simulation of two mini-batches")
	trace, err := record(d, cfg)
	if err != nil {
		return nil, err
	}
	return sim.NewTrace(bytes.NewReader(trace), format)
}

// record is the trace of a short co-simulation.
func record(d *ir.Design, cfg *configs.Config) ([]byte, error) {
	cfg.Training.Batches = 2
	set, err := data.Generate(cfg.Clicks(), 2*cfg.Training.Batch)
	if err != nil {
		return nil, err
	}
	s, err := interp.New(d)
	if err != nil {
		return nil, err
	}
	var trace bytes.Buffer
	r := sim.NewRecorder(s, sim.Hash(d), &trace)
	if _, err := cosim.Run(cosim.Job{Config: cfg, Data: set, Sim: r, Engine: "interp"}); err != nil {
		return nil, err
	}
	err = r.Close()
	return trace.Bytes(), err
}

func (f verifyFlags) compare(d *ir.Design, stimulus sim.Stimulus, kind string, log io.Writer) (sim.Report, error) {
	a, err := interp.New(d)
	if err != nil {
		return sim.Report{}, err
	}
	fmt.Fprintln(log, "building with Verilator, unless it is in the cache")
	b, err := verilog.Verilator(d, "")
	if err != nil {
		return sim.Report{}, err
	}
	defer b.Close()
	step := max(1, f.cycles/10)
	return sim.Verification{
		Design: d, A: sim.Contender{Name: "go", Batch: sim.NewBlocks(a)}, B: sim.Contender{Name: "verilator", Batch: b},
		Stimulus: stimulus, Cycles: f.cycles,
		Progress: func(done uint64) {
			if done%step < 1024 {
				fmt.Fprintf(log, "%s: %d cycles\n", kind, done)
			}
		},
	}.Run()
}
