package command

import (
	"errors"
	"math"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/des/await"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// cosimFlags contains the flags of hotline cosim.
type cosimFlags struct {
	jobFlags
	engine string
	cover  string
	waves  waveFlags
	pcapng captureFlag
	args   []string // of the whole command line
}

func cosimCommand(args []string) *cobra.Command {
	f := cosimFlags{args: args}
	c := &cobra.Command{
		Use:   "cosim",
		Short: "Train with the accelerator and with the baseline, and compare every parameter",
		Long: `Trains a recommendation model twice on the same mini-batches: with the hybrid CPU-GPU
baseline, and with GPUs that the simulated accelerator feeds over PCIe. Prints a
report and compares every parameter of the two models, bit by bit. If one differs,
the exit code is 1.

Times are simulated: they follow from the work of the training and from the constants
of a --machine and of a software --profile. The speed-up is printed for every profile,
each with its range over the constants.

Configuration and click log are built in, so no flag is needed. --html writes the
report as a page with pictures.

The accelerator is simulated by a compiled model: generated Go. The model of the
default configuration is built in. For other configurations, hotline builds and caches
a program with the model, which takes seconds, and runs it instead of this one. That
needs Go and the source of this project. Without them, and in runs too short to pay
for a build, the accelerator is interpreted. --engine compiled or interp forces one;
compiled-portable, -avx2 and -avx512 also force the instruction set of the model.

--vcd records every signal and needs the interpreter, which is slow. With --engine
compiled it records ports and registers only. --vcd-from and --vcd-to select a part of
the run, by cycles of the accelerator's clock (5000) or by simulated time (20us, 1.5ms;
units ps, ns, us, ms, s). The end is exclusive. At --vcd-limit the file ends with a
complete time step, and the run continues.

--cover records what the run exercised in the accelerator, for 'hotline cover'. It
uses a model of its own and excludes --vcd.

--pcapng writes every TLP on the accelerator's link to a file for 'hotline trace', and
for Wireshark with the dissector of 'hotline trace --dissector'.

--faults injects faults into the accelerator's link according to a plan in HCL
(docs/reference/reliability.md). The parameters must still be the same. The report
lists each fault and its recovery.

hotline refuses to start a run that would exceed the available memory, according to
/proc/meminfo and the limits of control groups.`,
		Example: `  hotline cosim
  hotline cosim --data criteo:train.txt --gpus 2
  hotline cosim --config configs/paper.hcl --batches 2 --json
  hotline cosim --vcd run.vcd --vcd-from 1.2ms --vcd-to 1.3ms`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.define(c)
	c.Flags().StringVar(&f.engine, "engine", engineAuto, engineUsage)
	defineCover(c, &f.cover)
	f.waves.define(c)
	f.pcapng.define(c)
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
	drawn, err := f.drawn()
	if err != nil {
		return usage(err)
	}
	if err := f.waves.check(cmd, cfg); err != nil {
		return usage(err)
	}
	if f.cover != "" && f.waves.file != "" {
		return usage(errors.New("--cover and --vcd exclude each other; leave one of them out"))
	}
	faults, err := f.plan()
	if err != nil {
		return usage(err)
	}
	ctx := cmd.Context()
	var from report.Source
	clicks, err := await.Call(ctx, func() (s data.Source, err error) {
		s, from, err = f.clicks(cmd, cfg, bitIdentical())
		return s, err
	})
	if err != nil {
		return usage(err)
	}
	for _, s := range bitIdentical() { // both systems must be able to train
		if err := experiment.Unmet(s, cfg, clicks); err != nil {
			return usage(err)
		}
	}
	job := experiment.Job{Config: cfg, Data: clicks, Source: from, HTML: f.html != "", Drawn: drawn, Systems: bitIdentical(), Faults: faults}
	if err := errors.Join(places(f.html, f.pcapng.file, f.cover), job.Check()); err != nil || isDryRun(cmd) {
		return usage(err)
	}
	design, err := await.Call(ctx, func() (*ir.Design, error) { return elaborate(cfg) })
	if err != nil {
		return err
	}
	covered, err := look(ctx, f.cover, cfg, design)
	if err != nil {
		return err
	}
	engine, err := f.choice(cfg, clicks).settle(cmd, covered.Design, cfg.Name)
	if err != nil {
		return err
	}
	return f.simulate(cmd, job, covered, engine)
}

// simulate performs the run. It reports errors of the waveforms after the outcome.
func (f cosimFlags) simulate(cmd *cobra.Command, j experiment.Job, covered *covered, engine string) error {
	p := newProgress(cmd.ErrOrStderr(), "mini-batches")
	defer p.end()
	w, err := f.waves.open(j.Config, p.say)
	if err != nil {
		return usage(err)
	}
	recorder := covered.recorder()
	if w != nil {
		recorder = w.vcd
	}
	accelerator, err := simulator(engine, covered.Design, recorder)
	if err != nil {
		_ = w.close() // an error of the file is the same error
		return err
	}
	record, err := f.pcapng.open()
	if err != nil {
		return errors.Join(usage(err), w.close())
	}
	j.Accelerator = onSimulator(engine, accelerator)
	j.Version, j.Progress, j.Slot = version(), p.show, record.slot()
	return record.during(func() error {
		report, err := experiment.Run(cmd.Context(), j)
		p.end()
		if err == nil {
			err = errors.Join(f.conclude(cmd.OutOrStdout(), report), covered.save(f.cover))
		}
		return errors.Join(err, w.close())
	})
}

// choice returns the parameters for the choice of the engine. With waveforms and no explicit
// engine, it chooses the interpreter, which records every signal.
func (f cosimFlags) choice(cfg *configs.Config, clicks data.Source) choice {
	engine := f.engine
	if engine == engineAuto && f.waves.file != "" {
		engine = engineInterp
	}
	return choice{engine: engine, length: lookups(cfg, clicks), args: f.args}
}

// lookups returns the number of lookups of a run, or math.MaxInt if it is unknown.
func lookups(cfg *configs.Config, clicks data.Source) int {
	inputs := cfg.Training.Batch * cfg.Training.Batches // of an epoch
	if n, known := clicks.Len(); known && (inputs == 0 || n < int64(inputs)) {
		inputs = int(n)
	} else if inputs == 0 {
		return math.MaxInt
	}
	return inputs * cfg.Training.Epochs * clicks.Shape().Lookups()
}
