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
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Job is what to run.
type Job struct {
	Config      *configs.Config
	Data        data.Source
	Systems     []registry.Description // the first is what the others are compared with
	Accelerator Accelerator
	// For the report: the program, and where Data comes from if not from Clicks.
	Version string
	Source  report.Source
	// HeldOut is how many inputs, behind those that are trained on, the models are
	// evaluated on: the last ones of the source, or the next ones if Config's
	// batches leave some.
	HeldOut int64
	// EvaluateEvery is the number of mini-batches after which the models are
	// evaluated, again and again; 0 is at the end only.
	EvaluateEvery int
	// From is what the training goes on from; nil is its beginning. Config's batches
	// include those before.
	From *checkpoint.Checkpoint
	// Save, unless nil, gets the model of the first system after every SaveEvery
	// mini-batches unless that is 0, and at the end, last. Its error ends the run.
	Save      func(c *checkpoint.Checkpoint, last bool) error
	SaveEvery int
	// Valueless leaves the arithmetic out: times are the same, and there is no loss,
	// no AUC and no comparison.
	Valueless bool
	// Watch watches what every system does with embedding rows, as package consistency
	// does, which takes about as long as the training.
	Watch bool
	// Slot, unless nil, gets the machine of the first system with an accelerator, when
	// that is in its slot and before anything is on its link.
	Slot func(s *server.Server)
	// Faults, unless nil, go wrong on the link of every accelerator.
	Faults *fault.Plan
	// Trace keeps the timeline of the last system's first mini-batches.
	Trace bool
	// HTML keeps the timelines that WriteHTML draws: in all systems, those of the
	// mini-batches of this run that Drawn numbers, or of a few that differ if it is
	// empty.
	HTML  bool
	Drawn []int
	// Progress, unless nil, is called after each mini-batch of a system, by one
	// system at a time; total is 0 if it is not known.
	Progress func(system string, done, total int)
}

// Run trains all systems, side by side, and compares them with the first. A
// difference is not an error but stands in the report. When the context ends, so
// does the run, soon, with a *Stopped.
func Run(ctx context.Context, j Job) (*report.Report, error) {
	if err := j.Check(); err != nil {
		return nil, err
	}
	inputs, err := j.trained()
	if err != nil {
		return nil, err
	}
	model := j.Config.For(j.Data.Shape())
	inner, stop := context.WithCancel(ctx)
	defer stop()
	j.Data = cancelable{j.Data, inner}
	from, err := j.start(model)
	if err != nil {
		return nil, err
	}
	r := &run{Job: j, ctx: inner, stop: stop, model: model, inputs: inputs, from: from, variants: timing.NewVariants(j.Config.Machine())}
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

// Check reports that there is no such job: what was asked for does not go together,
// or the data have too little for it.
func (j Job) Check() error {
	if err := Check(j.Config, j.Data, j.Systems); err != nil {
		return err
	}
	if j.Valueless && (j.HeldOut > 0 || j.Save != nil) {
		return errors.New("experiment: without values there is nothing to evaluate on held-out inputs, and nothing to save")
	}
	if first := j.Systems[0]; j.SaveEvery > 0 && first.Guarantee == registry.OwnOrder {
		return fmt.Errorf("experiment: %s trains on the mini-batches in an order of its own, so its model can be saved at the end only", first.Name)
	}
	if j.Slot != nil && j.accelerated() < 0 {
		return errors.New("experiment: no system has an accelerator, so there is no link of one")
	}
	if j.Faults != nil && j.accelerated() < 0 {
		return errors.New("experiment: faults happen on the link of an accelerator, but no system has one")
	}
	if j.Valueless && j.Watch {
		return errors.New("experiment: without values there is nothing to check")
	}
	inputs, err := j.trained()
	if err != nil {
		return err
	}
	return j.checkDrawn(inputs)
}

// accelerated is the number of the first system with an accelerator, -1 if there is
// none.
func (j Job) accelerated() int {
	return slices.IndexFunc(j.Systems, func(d registry.Description) bool { return d.Accelerated })
}

// trained is how many inputs are trained on, 0 for all.
func (j Job) trained() (int64, error) {
	most := int64(j.Config.Training.Batch) * int64(j.Config.Training.Batches)
	if j.HeldOut == 0 {
		return most, nil
	}
	n, known := j.Data.Len()
	switch {
	case !known && most == 0:
		return 0, fmt.Errorf("experiment: how many inputs %s has is not known, so none can be held out: say how many mini-batches to train on", j.Data.Name())
	case known && n <= j.HeldOut:
		return 0, fmt.Errorf("experiment: %d inputs cannot be held out of the %d of %s", j.HeldOut, n, j.Data.Name())
	case known && (most == 0 || most > n-j.HeldOut):
		return n - j.HeldOut, nil
	}
	return most, nil
}
