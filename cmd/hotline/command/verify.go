package command

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/des/await"
	"github.com/hotline-rtl/hotline/host/ui/table"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/external"
)

// verifyFlags contains the flags of hotline verify.
type verifyFlags struct {
	config, stimulus, engine string
	cover                    string
	cycles, seed             uint64
	json                     bool
	args                     []string // of the whole command line
}

func verifyCommand(args []string) *cobra.Command {
	f := verifyFlags{args: args}
	c := &cobra.Command{
		Use:   "verify",
		Short: "Compare the Go simulation with Verilator: every port, every cycle",
		Long: `Generates the Verilog of a configuration, builds it with Verilator, and drives Verilog
and Go simulation with the same inputs: random inputs with random back-pressure, and
the inputs of a recorded co-simulation of two mini-batches. Both start with the same
random values in all registers and memories. Every output port is compared in every
cycle. On the first difference it prints cycle, port, both values, the place in the
description, and the last cycles as a waveform, and the exit code is 1.

The Go simulation is a compiled model, or interpreted: --engine works as in 'hotline
cosim'.

Verilator must be installed. Its build of a configuration takes a while and is cached.`,
		Example: `  hotline verify --cycles 1000000 --seed 7
  hotline verify --config configs/paper.hcl --stimulus random`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	s := c.Flags()
	s.StringVar(&f.config, "config", "", "configuration `FILE`.hcl (default: the embedded small.hcl)")
	s.Uint64Var(&f.cycles, "cycles", 100_000, "maximum number of `cycles` per stimulus")
	s.Uint64Var(&f.seed, "seed", 1, "`seed` of the state at power-up and of the random inputs")
	s.StringVar(&f.engine, "engine", engineAuto, engineUsage)
	s.StringVar(&f.stimulus, "stimulus", "all", "`kind` of stimulus: random, recorded or all")
	defineCover(c, &f.cover)
	s.BoolVar(&f.json, "json", false, "print the outcome as one JSON object (docs/reference/json.md)")
	return c
}

// verifySchema is the schema of the JSON output; see external.Schema.
const verifySchema = "hotline.verify/1"

// outcome is the JSON output, with sums over the kinds of stimulus. docs/reference/json.md documents its
// keys.
type outcome struct {
	Schema        string         `json:"schema"`
	Version       string         `json:"version"`
	Engine        string         `json:"engine"`
	Level         string         `json:"level,omitempty"` // of a compiled model
	Seed          uint64         `json:"seed"`            // of the random stimulus
	Configuration map[string]any `json:"configuration"`

	Config      string `json:"config"`
	Cycles      uint64 `json:"cycles"`
	Ports       int    `json:"ports"` // number of compared outputs
	Differences uint64 `json:"differences"`
	Random      uint64 `json:"cycles_random"`
	Recorded    uint64 `json:"cycles_recorded"`
	First       string `json:"first,omitempty"` // the first difference
}

func (f verifyFlags) run(cmd *cobra.Command) error {
	if !slices.Contains([]string{"all", random, recorded}, f.stimulus) {
		return usage(fmt.Errorf("--stimulus is %q; expected random, recorded or all", f.stimulus))
	}
	if f.cycles < 1 {
		return usage(errors.New("--cycles is 0; expected at least 1"))
	}
	if err := checkEngine(f.engine); err != nil {
		return usage(err)
	}
	if err := places(f.cover); err != nil {
		return usage(err)
	}
	cfg, err := configuration(f.config)
	if err != nil || isDryRun(cmd) {
		return usage(err)
	}
	design, err := await.Call(cmd.Context(), func() (*ir.Design, error) { return elaborate(cfg) })
	if err != nil {
		return err
	}
	covered, err := look(cmd.Context(), f.cover, cfg, design)
	if err != nil {
		return err
	}
	engine, err := choice{engine: f.engine, length: int(min(f.cycles, short)), args: f.args}.settle(cmd, covered.Design, cfg.Name)
	if err != nil {
		return err
	}
	spare := newSpare()
	defer spare.remove()
	out := outcome{Schema: verifySchema, Version: version(), Engine: engine, Seed: f.seed, Configuration: cfg.Values(), Config: cfg.Name}
	for _, kind := range []string{random, recorded} {
		if f.stimulus != "all" && f.stimulus != kind {
			continue
		}
		report, err := f.compare(cmd, kind, &out, design, covered, cfg, spare)
		out.add(kind, report)
		if err != nil {
			return out.stopped(cmd.Context(), err)
		}
		if !f.json {
			w := cmd.OutOrStdout()
			if _, err := fmt.Fprintln(w, table.Wrap(fmt.Sprintf("%-8s  %v", kind, report), table.Width(w), 10)); err != nil {
				return err
			}
		}
		if report.First != nil {
			break
		}
	}
	if err := covered.save(f.cover); err != nil {
		return err
	}
	return f.conclude(cmd, out)
}

// stopped returns the progress before a signal, if a signal caused err.
func (o *outcome) stopped(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if cause == nil {
		return err
	}
	return fmt.Errorf("%w\ncompared: %d cycles of random inputs, %d of recorded ones; differences: %d", cause, o.Random, o.Recorded, o.Differences)
}

func (o *outcome) add(kind string, r sim.Report) {
	o.Cycles += r.Cycles
	o.Ports = r.Ports
	o.Differences += r.Differences
	if kind == random {
		o.Random = r.Cycles
	} else {
		o.Recorded = r.Cycles
	}
	if r.First != nil {
		o.First = r.First.Error()
	}
}

// conclude prints the JSON output if requested. It returns an error if the check failed.
func (f verifyFlags) conclude(cmd *cobra.Command, out outcome) error {
	if f.json {
		if err := printJSON(cmd.OutOrStdout(), out); err != nil {
			return err
		}
	}
	if out.First != "" {
		return failed(errors.New(out.First))
	}
	return nil
}

// compare runs the Go engine and Verilator on one kind of stimulus.
func (f verifyFlags) compare(cmd *cobra.Command, kind string, out *outcome, d *ir.Design, covered *covered, cfg *configs.Config, spare *spare) (sim.Report, error) {
	log := cmd.ErrOrStderr()
	fmt.Fprintf(log, "%s: starting Verilator, after a build if there is none yet\n", kind)
	var b *external.Process
	var unkept error
	err := patiently(log, "", kind+": still building with Verilator", func() (err error) {
		b, unkept, err = orSpare(spare, func(dir string) (*external.Process, error) {
			return await.Call(cmd.Context(), func() (*external.Process, error) { return external.Verilator(d, dir) })
		})
		return err
	})
	if err != nil {
		return sim.Report{}, err
	}
	defer b.Close()
	if unkept != nil {
		fmt.Fprintln(log, notKept(unkept))
	}
	a, err := simulator(out.Engine, covered.Design, covered.recorder())
	if err != nil {
		return sim.Report{}, err
	}
	out.Level = compiled.LevelOf(a)
	sim.PowerUp(a.(sim.Writable), f.seed)
	sim.PowerUp(b, f.seed)
	stimulus, cycles, err := f.inputs(cmd.Context(), log, kind, out.Engine, covered.Design, cfg)
	if err != nil {
		return sim.Report{}, err
	}
	p := newProgress(log, "cycles")
	defer p.end()
	return sim.Verification{
		Design: d, A: sim.NamedBatch{Name: out.Engine, Batch: sim.NewBlocks(a)}, B: sim.NamedBatch{Name: "verilator", Batch: b},
		Stimulus: stimulus, Cycles: cycles, Progress: func(done uint64) { p.show(kind, int(done), int(cycles)) },
	}.Run()
}
