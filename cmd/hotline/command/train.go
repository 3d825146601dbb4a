package command

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/des/await"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/study/chakra"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// trainFlags contains the flags of hotline train.
type trainFlags struct {
	jobFlags
	systems, accelerator string
	trace, chakra        string
	heldOut              float64
	evaluateEvery        int
	files                modelFiles
	pcapng               captureFlag
	args                 []string // of the whole command line
}

// Values of --values.
const (
	valuesOn  = "on"
	valuesOff = "off"
)

// Values of --accelerator.
const (
	fidelityCycle      = "cycle"
	fidelityFunctional = "functional"
)

func trainCommand(args []string) *cobra.Command {
	f := trainFlags{args: args}
	var known strings.Builder
	for _, s := range catalog.Systems() {
		fmt.Fprintf(&known, "  %-20s  %s\n", s.Name, s.Title)
	}
	c := &cobra.Command{
		Use:   "train",
		Short: "Train with any training systems, and compare parameters and times",
		Long: `Trains a recommendation model with each of the systems on the same mini-batches. Tables
compare the time of a mini-batch and its parts, the bytes on each link, hits, memory,
speed-ups, and the quality of the predictions. Every parameter of a system that
guarantees sequential training is compared with the first such system, bit by bit. If
one differs, the exit code is 1. Systems with an order of their own (fae) and
approximate systems (cdlrm-paper, elrec, tt-rec, scratchpipe-ideal) are not compared;
see docs/explanation/systems.md. The systems are

` + known.String() + `
The accelerator is a functional model, or the hardware, cycle by cycle (--accelerator
cycle). 'hotline cosim' reports more about the hardware.

Times are simulated: counts of the training, such as rows gathered, become work on the
resources of a --machine with a software --profile. They depend on indices only, never
on values. Each time and speed-up has its range over the constants; speed-ups also have
the two constants that matter most, and a column for each profile. No profile
reproduces the software of a paper exactly.

A system that does not fit into the machine's memory is reported as "out of memory". If
none fits, the exit code is 1. A system that diverges, or that needs something that the
configuration or the data lack, is reported as such; the other systems keep their
results, and the exit code is 1.

--values off skips the arithmetic: times are byte-identical and computed faster, but
there is no loss, no AUC and no comparison. Only the schedule of fae depends on the
loss; without values it assumes a falling loss.

The block training of the configuration sets epochs, shuffling, held-out samples and
early stop. The report has log loss, AUC and calibration after each epoch
(docs/how-to/data.md).

--check also trains the model sequentially, without a machine, and checks how each
system handles embedding rows. It counts stale or wrong reads, lost updates, rows
evicted too early and rows in two places, shows the first of each, and reports the age
of the values that a system reads. If a system that guarantees sequential training has
any, the exit code is 1.

--faults injects faults into the accelerator's link according to a plan in HCL
(docs/reference/reliability.md). The parameters must still be the same. The report
lists each fault and its recovery.

--checkpoint writes the model of the first system. --resume continues from it, with any
system and any number of GPUs, bit-identical to a run without the stop; --batches
counts the earlier mini-batches. --export writes all parameters as whole tables, for
PyTorch and others. With --export-start and --export-inputs they can repeat the
training. All are safetensors files (docs/how-to/checkpoint.md).

--html writes a page with pictures: speed-ups with their ranges, the phases of a
mini-batch, and timelines of the mini-batches that --timelines names. The page needs no
other file and no network.

--trace writes the first mini-batches of the last system as a timeline for Perfetto
(ui.perfetto.dev) and Chrome (chrome://tracing). --chakra writes the same mini-batches as
execution traces of MLCommons Chakra, PREFIX.0.et and so on, one for each GPU. --pcapng writes every TLP on the link
of the first system's accelerator, for 'hotline trace' and Wireshark.`,
		Example: `  hotline train
  hotline train --system hybrid,hotline --gpus 2 --profile sceptic
  hotline train --system hybrid,hotline,fae --json | jq '.systems[] | {system, counts}'
  hotline train --machine h100 --json | jq '.systems[] | {system, time_ps, bound_by}'
  hotline train --html report.html --timelines 0-3,20
  hotline train --data criteo:train.txt --trace timeline.json
  hotline train --batches 12 --checkpoint half.safetensors
  hotline train --resume half.safetensors --held-out 2000 --evaluate-every 4
  hotline train --export-start start.safetensors --export-inputs inputs.safetensors
  hotline train --system all --check
  hotline train --config configs/paper.hcl --model rm3 --values off`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.define(c)
	s := c.Flags()
	s.StringVar(&f.systems, "system", cosimulated, "training `systems`, separated by commas, or all; the first is the baseline of speed-ups")
	s.StringVar(&f.accelerator, "accelerator", fidelityFunctional, "`fidelity` of the accelerator: functional, or cycle (slower)")
	s.StringVar(&f.values, "values", valuesOn, "on, or off: no `arithmetic`, the same times")
	s.Float64Var(&f.heldOut, "held-out", 0, "`number` of samples to evaluate on, or their share (default: the configuration's)")
	s.IntVar(&f.evaluateEvery, "evaluate-every", 0, "evaluate every `number` mini-batches (default: at the end only)")
	s.BoolVar(&f.look, "check", false, "check reads and updates of embedding rows, and moved against charged bytes, of every system")
	f.files.define(c)
	f.pcapng.define(c)
	s.StringVar(&f.trace, "trace", "", "`FILE` for the timeline of the last system")
	s.StringVar(&f.chakra, "chakra", "", "`PREFIX` of files for the execution traces of the last system")
	return c
}

func (f trainFlags) run(cmd *cobra.Command) error {
	systems, err := registry.Choose(catalog.Systems(), f.systems)
	if err != nil {
		return usage(fmt.Errorf("--system: %w", err))
	}
	if err := errors.Join(f.check(cmd), f.pcapng.check(systems)); err != nil {
		return usage(err)
	}
	cfg, err := f.configuration(cmd)
	if err != nil {
		return usage(err)
	}
	if cmd.Flags().Changed("held-out") {
		cfg.Training.HeldOut = f.heldOut
	}
	if err := f.checkHeldOut(cfg.Training); err != nil {
		return usage(err)
	}
	var from report.Source
	clicks, err := await.Call(cmd.Context(), func() (s data.Source, err error) {
		s, from, err = f.clicks(cmd, cfg, systems)
		return s, err
	})
	if err != nil {
		return usage(err)
	}
	drawn, err := f.drawn()
	if err != nil {
		return usage(err)
	}
	faults, err := f.plan()
	if err != nil {
		return usage(err)
	}
	job := experiment.Job{
		Config: cfg, Data: clicks, Systems: systems, Faults: faults, Trace: f.trace != "" || f.chakra != "", EvaluateEvery: f.evaluateEvery,
		Watch: f.look, Valueless: f.values == valuesOff, HTML: f.html != "", Drawn: drawn, Version: version(), Source: from,
	}
	if job, err = f.files.prepare(cmd, job); err != nil {
		return usage(err)
	}
	if err := job.Check(); err != nil || isDryRun(cmd) {
		return usage(err)
	}
	if job.Accelerator, err = f.slot(cmd, cfg, clicks); err != nil {
		return err
	}
	record, err := f.pcapng.open()
	if err != nil {
		return usage(err)
	}
	job.Slot = record.slot()
	p := newProgress(cmd.ErrOrStderr(), "mini-batches")
	defer p.end()
	for _, s := range systems {
		if err := experiment.Unmet(s, cfg, clicks); err != nil {
			p.say(fmt.Sprintf("%s: not trained: %v", s.Name, err))
		}
	}
	job.Progress = p.show
	var outcome *report.Report
	err = record.during(func() (err error) {
		outcome, err = experiment.Run(cmd.Context(), job)
		p.end()
		return err
	})
	if err != nil {
		return err
	}
	return errors.Join(f.conclude(cmd.OutOrStdout(), outcome), f.writeTrace(outcome), f.writeTraces(outcome))
}

// check checks the flags that depend on nothing else.
func (f trainFlags) check(cmd *cobra.Command) error {
	switch given := cmd.Flags().Changed("evaluate-every"); {
	case f.accelerator != fidelityCycle && f.accelerator != fidelityFunctional:
		return fidelityError(f.accelerator)
	case f.values != valuesOn && f.values != valuesOff:
		return fmt.Errorf("--values is %q; expected %s or %s", f.values, valuesOn, valuesOff)
	case !configs.HeldOut.Contains(f.heldOut):
		return fmt.Errorf("--held-out is %v; expected %s", f.heldOut, configs.HeldOut)
	case given && f.evaluateEvery < 1:
		return fmt.Errorf("--evaluate-every is %d; expected at least 1", f.evaluateEvery)
	case f.values == valuesOff && f.look:
		return errors.New("--check compares values, but --values off computes none; leave one of them out")
	case f.values == valuesOff && f.files.checkpoint+f.files.end != "":
		return errors.New("--checkpoint and --export need trained parameters, but --values off computes none; leave one of them out")
	}
	return places(append(f.traces(1), f.trace, f.html, f.pcapng.file, f.files.checkpoint, f.files.start, f.files.inputs, f.files.end)...)
}

// checkHeldOut checks flags that depend on the held-out samples.
func (f trainFlags) checkHeldOut(t *configs.Training) error {
	switch {
	case f.evaluateEvery > 0 && t.HeldOut == 0:
		return errors.New("--evaluate-every needs --held-out")
	case f.values == valuesOff && t.HeldOut > 0:
		return errors.New("--held-out needs predictions, but --values off computes none; leave one of them out")
	}
	return nil
}

// slot returns the accelerator that --accelerator selects.
func (f trainFlags) slot(cmd *cobra.Command, cfg *configs.Config, clicks data.Source) (experiment.Accelerator, error) {
	return accelerator(cmd, f.accelerator, cfg, choice{engine: engineAuto, length: lookups(cfg, clicks), args: f.args})
}

// accelerator returns the accelerator of a configuration with the given fidelity, the value of
// --accelerator.
func accelerator(cmd *cobra.Command, fidelity string, cfg *configs.Config, c choice) (experiment.Accelerator, error) {
	switch fidelity {
	case fidelityFunctional:
		return experiment.Functional(*cfg.Accelerator), nil
	case fidelityCycle:
	default:
		return experiment.Accelerator{}, usage(fidelityError(fidelity))
	}
	design, err := await.Call(cmd.Context(), func() (*ir.Design, error) { return elaborate(cfg) })
	if err != nil {
		return experiment.Accelerator{}, err
	}
	engine, err := c.settle(cmd, design, cfg.Name)
	if err != nil {
		return experiment.Accelerator{}, err
	}
	s, err := simulator(engine, design, nil)
	return onSimulator(engine, s), err
}

func fidelityError(name string) error {
	return fmt.Errorf("--accelerator is %q; expected %s or %s", name, fidelityFunctional, fidelityCycle)
}

// writeTrace writes the timeline, if requested.
func (f trainFlags) writeTrace(r *report.Report) error {
	if f.trace == "" {
		return nil
	}
	return outfile.Write(f.trace, r.WriteTrace)
}

// traces returns the names of the execution traces, if they are requested.
func (f trainFlags) traces(gpus int) []string {
	if f.chakra == "" {
		return nil
	}
	var names []string
	for i := range gpus {
		names = append(names, fmt.Sprintf("%s.%d.et", f.chakra, i))
	}
	return names
}

// writeTraces writes the execution traces, if requested.
func (f trainFlags) writeTraces(r *report.Report) error {
	for _, name := range f.traces(r.GPUs * r.Nodes) {
		if err := outfile.Write(name, func(w io.Writer) error { return chakra.Write(w, r.Trace.Events()) }); err != nil {
			return err
		}
	}
	return nil
}
