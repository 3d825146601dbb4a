package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Job describes a run.
type Job struct {
	Config      *configs.Config
	Data        data.Source
	Systems     []registry.Description // The other systems are compared with the first.
	Accelerator Accelerator
	// Version of the program, and Source of the data unless the data are generated. Both are used
	// only in the report.
	Version string
	Source  report.Source
	// EvaluateEvery is the number of mini-batches between evaluations on the held-out inputs. With
	// 0, the models are evaluated only at the end, or after each epoch if there are several.
	EvaluateEvery int
	// From is the checkpoint from which the training resumes, or nil. The epochs and mini-batches in
	// Config include those before the checkpoint.
	From *checkpoint.Checkpoint
	// Begin, unless nil, receives the model before the training and the mini-batches of the
	// training. An error of Begin ends the run.
	Begin func(from *train.State, b *train.Batches) error
	// Save, unless nil, receives the model of the first system after every SaveEvery mini-batches,
	// unless SaveEvery is 0, and at the end, with last set. An error of Save ends the run.
	Save      func(c *checkpoint.Checkpoint, last bool) error
	SaveEvery int
	// Valueless omits the arithmetic. Times are the same; there is no loss, no AUC and no
	// comparison.
	Valueless bool
	// Watch checks what every system does with embedding rows (package consistency). The checks
	// take about as long as the training.
	Watch bool
	// Slot, unless nil, receives the server of the first system with an accelerator, after the
	// accelerator is attached and before any transfer on its link.
	Slot func(s *server.Server)
	// Faults, unless nil, are injected on the link of every accelerator.
	Faults *fault.Plan
	// Trace records the timeline of the first mini-batches of the last system.
	Trace bool
	// HTML records the timelines that WriteHTML plots, for all systems. Drawn contains the numbers
	// of their mini-batches in this run. If it is empty, a few mini-batches that differ are
	// selected.
	HTML  bool
	Drawn []int
	// Progress, unless nil, is called after each mini-batch of a system. Calls are not concurrent.
	// total is 0 if it is unknown.
	Progress func(system string, done, total int)
}

// Run trains all systems concurrently and compares them with the first. A difference is part of the
// report and not an error. Run returns a *Stopped soon after the context ends.
func Run(ctx context.Context, j Job) (*report.Report, error) {
	if err := j.Check(); err != nil {
		return nil, err
	}
	model := j.Config.For(j.Data.Shape())
	inner, stop := context.WithCancel(ctx)
	defer stop()
	j.Data = cancelable{j.Data, inner}
	inputs, err := j.sets()
	if err != nil {
		return nil, err
	}
	from, err := j.start(model)
	if err != nil {
		return nil, err
	}
	if err := j.begin(model, from, inputs); err != nil {
		return nil, err
	}
	r := &run{Job: j, ctx: inner, stop: stop, model: model, sets: inputs, from: from, variants: timing.NewVariants(j.Config.Machine())}
	for _, s := range j.Systems {
		s.Guarantee = s.With(j.Config.Setting(s))
		r.trained = append(r.trained, &trained{Description: s})
	}
	report, err := r.all()
	if cause := context.Cause(ctx); cause != nil && (err != nil || !report.Identical()) {
		return nil, &Stopped{Cause: cause, Done: r.done()}
	}
	return report, err
}

// Check returns an error if the options of the job contradict each other, or if there are too few
// data.
func (j Job) Check() error {
	if err := Check(j.Config, j.Data, j.Systems); err != nil {
		return err
	}
	if err := j.checkHeldOut(); err != nil {
		return err
	}
	if j.Valueless && (j.Config.Training.HeldOut > 0 || j.Save != nil) {
		return errors.New("experiment: without values there is nothing to evaluate on held-out inputs, and nothing to save")
	}
	if first := j.Systems[0]; j.SaveEvery > 0 && first.Guarantee == registry.OwnOrder {
		return fmt.Errorf("experiment: %s trains on the mini-batches in an order of its own, so its model can be saved at the end only", first.Name)
	}
	if j.Slot != nil && j.accelerated() < 0 {
		return errors.New("experiment: no system has an accelerator, so there is no link to capture")
	}
	if j.Faults != nil && j.accelerated() < 0 {
		return errors.New("experiment: faults happen on the link of an accelerator, but no system has one")
	}
	if j.Valueless && j.Watch {
		return errors.New("experiment: without values there is nothing to check")
	}
	inputs, err := j.sets()
	if err != nil {
		return err
	}
	return j.checkDrawn(inputs)
}

// accelerated returns the index of the first system with an accelerator, or -1.
func (j Job) accelerated() int {
	return slices.IndexFunc(j.Systems, func(d registry.Description) bool { return d.Accelerated })
}
