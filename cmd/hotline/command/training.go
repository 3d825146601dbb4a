package command

import (
	"errors"
	"fmt"
	"io"
	"math"

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

// training contains the flags of hotline train and of its preset hotline cosim.
type training struct {
	jobFlags
	systems, accelerator string
	strict               bool // refuse systems that cannot train
	engine, cover        string
	waves                waveFlags
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

// run performs the training. It reports errors of waveforms and captures after the outcome.
func (f training) run(cmd *cobra.Command) error {
	job, err := f.job(cmd)
	if err != nil || isDryRun(cmd) {
		return usage(err)
	}
	covered, engine, err := f.hardware(cmd, job)
	if err != nil {
		return err
	}
	p := newProgress(cmd.ErrOrStderr(), "mini-batches")
	defer p.end()
	w, err := f.waves.open(job.Config, p.say)
	if err != nil {
		return usage(err)
	}
	if job.Accelerator, err = covered.accelerator(engine, w, job.Config); err != nil {
		_ = w.close() // an error of the file is the same error
		return err
	}
	record, err := f.pcapng.open()
	if err != nil {
		return errors.Join(usage(err), w.close())
	}
	job.Slot, job.Progress = record.slot(), p.show
	for _, s := range job.Systems {
		if err := experiment.Unmet(s, job.Config, job.Data); err != nil {
			p.say(fmt.Sprintf("%s: not trained: %v", s.Name, err))
		}
	}
	return record.during(func() error {
		outcome, err := experiment.Run(cmd.Context(), job)
		p.end()
		if err == nil {
			err = errors.Join(f.conclude(cmd.OutOrStdout(), outcome), f.writeTrace(outcome), f.writeTraces(outcome), covered.save(f.cover))
		}
		return errors.Join(err, w.close())
	})
}

// job returns the job that the flags describe, and parses the flags of waveforms. Its errors are in
// the flags, or in files that they name.
func (f *training) job(cmd *cobra.Command) (j experiment.Job, err error) {
	if j.Systems, err = registry.Choose(catalog.Systems(), f.systems); err != nil {
		return j, fmt.Errorf("--system: %w", err)
	}
	if err := errors.Join(f.check(cmd), f.pcapng.check(j.Systems)); err != nil {
		return j, err
	}
	if j.Config, err = f.configuration(cmd); err != nil {
		return j, err
	}
	if cmd.Flags().Changed("held-out") {
		j.Config.Training.HeldOut = f.heldOut
	}
	if err := errors.Join(f.checkHeldOut(j.Config.Training), f.waves.check(cmd, j.Config)); err != nil {
		return j, err
	}
	if j.Drawn, err = f.drawn(); err != nil {
		return j, err
	}
	if j.Faults, err = f.plan(); err != nil {
		return j, err
	}
	j.Data, err = await.Call(cmd.Context(), func() (s data.Source, err error) {
		s, j.Source, err = f.clicks(cmd, j.Config, j.Systems)
		return s, err
	})
	if err != nil {
		return j, err
	}
	for _, s := range j.Systems {
		if err := experiment.Unmet(s, j.Config, j.Data); f.strict && err != nil {
			return j, err
		}
	}
	j.Trace, j.EvaluateEvery, j.HTML, j.Version = f.trace != "" || f.chakra != "", f.evaluateEvery, f.html != "", version()
	j.Watch, j.Valueless = f.look, f.values == valuesOff
	if j, err = f.files.prepare(cmd, j); err != nil {
		return j, err
	}
	return j, j.Check()
}

// check checks the flags that depend on nothing else.
func (f training) check(cmd *cobra.Command) error {
	if err := checkEngine(f.engine); err != nil {
		return err
	}
	switch given := cmd.Flags().Changed("evaluate-every"); {
	case f.cover != "" && f.waves.file != "":
		return errors.New("--cover and --vcd exclude each other; leave one of them out")
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
	return places(append(f.traces(1), f.trace, f.html, f.pcapng.file, f.cover, f.files.checkpoint, f.files.start, f.files.inputs, f.files.end)...)
}

// checkHeldOut checks flags that depend on the held-out samples.
func (f training) checkHeldOut(t *configs.Training) error {
	switch {
	case f.evaluateEvery > 0 && t.HeldOut == 0:
		return errors.New("--evaluate-every needs --held-out")
	case f.values == valuesOff && t.HeldOut > 0:
		return errors.New("--held-out needs predictions, but --values off computes none; leave one of them out")
	}
	return nil
}

// hardware returns the design of the accelerator and the engine that simulates it. The functional
// model has no design.
func (f training) hardware(cmd *cobra.Command, j experiment.Job) (c *covered, engine string, err error) {
	if f.accelerator == fidelityFunctional {
		return &covered{}, "", nil
	}
	design, err := await.Call(cmd.Context(), func() (*ir.Design, error) { return elaborate(j.Config) })
	if err != nil {
		return nil, "", err
	}
	if c, err = look(cmd.Context(), f.cover, j.Config, design); err != nil {
		return nil, "", err
	}
	engine = f.engine
	if engine == engineAuto && f.waves.file != "" {
		engine = engineInterp // it records every signal
	}
	engine, err = choice{engine: engine, length: lookups(j.Config, j.Data), args: f.args}.settle(cmd, c.Design, j.Config.Name)
	return c, engine, err
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

// writeTrace writes the timeline, if requested.
func (f training) writeTrace(r *report.Report) error {
	if f.trace == "" {
		return nil
	}
	return outfile.Write(f.trace, r.WriteTrace)
}

// traces returns the names of the execution traces, if they are requested.
func (f training) traces(gpus int) []string {
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
func (f training) writeTraces(r *report.Report) error {
	for _, name := range f.traces(r.GPUs * r.Nodes) {
		if err := outfile.Write(name, func(w io.Writer) error { return chakra.Write(w, r.Trace.Events()) }); err != nil {
			return err
		}
	}
	return nil
}
