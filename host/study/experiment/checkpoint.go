package experiment

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
	"github.com/hotline-rtl/hotline/host/ui/format"
)

// Resume reads the checkpoint from which a job should resume. It returns the errors of
// checkpoint.Read. It also returns an error if the data differ from the data on which the model was
// trained, or if no further mini-batches remain.
func (j Job) Resume(path string) (*checkpoint.Checkpoint, error) {
	model, batch := j.Config.For(j.Data.Shape()), j.Config.Training.Batch
	from, err := checkpoint.Read(path, model, j.Config.Training.Seed, batch)
	if err != nil {
		return nil, err
	}
	inputs, err := j.sets()
	if err != nil {
		return nil, err
	}
	batches, err := train.NewBatches(model, inputs.train, batch, inputs.number)
	if err != nil {
		return nil, err
	}
	defer batches.Close()
	switch latest, err := batches.At(from.MiniBatches - 1); {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	case err == nil && checkpoint.Digest(latest) != from.Latest:
		return nil, fmt.Errorf("%s: the inputs of mini-batch %d of %s are not those that the model was trained on, which came from %s",
			path, from.MiniBatches, j.Data.Name(), from.Data)
	}
	if patience := j.Config.Training.Patience; patience > 0 && len(from.Losses) > 0 && sinceLowest(from.Losses) >= patience {
		return nil, fmt.Errorf("%s: the training has stopped after %s without a lower held-out loss; ask for more patience than %d",
			path, format.Plural(sinceLowest(from.Losses), "epoch"), patience)
	}
	if more, err := batches.Has(from.MiniBatches); err != nil || more {
		return from, err
	}
	return nil, fmt.Errorf("%s: the model was trained on %s, and this run has no more; ask for more", path, format.Plural(from.MiniBatches, "mini-batch"))
}

// start returns the initial state of the models.
func (j Job) start(model dlrm.Config) (*train.State, error) {
	if j.From != nil {
		return j.From.State, nil
	}
	return train.Initial(model, j.Config.Training.Seed)
}

// begin passes the model and the mini-batches to Job.Begin.
func (j Job) begin(model dlrm.Config, from *train.State, inputs sets) error {
	if j.Begin == nil {
		return nil
	}
	all, err := train.NewBatches(model, inputs.train, j.Config.Training.Batch, inputs.number)
	if err != nil {
		return err
	}
	first, _ := j.before()
	b := all.From(first)
	defer b.Close()
	if err := j.Begin(from, b); err != nil {
		return saving{err}
	}
	return nil
}

// before returns the number of mini-batches and inputs on which the models were trained before this
// run.
func (j Job) before() (miniBatches int, inputs int64) {
	if j.From == nil {
		return 0, 0
	}
	return j.From.MiniBatches, j.From.Inputs
}

// lossesBefore returns the held-out losses of the epochs before this run.
func (j Job) lossesBefore() []float64 {
	if j.From == nil {
		return nil
	}
	return slices.Clone(j.From.Losses)
}

// saveLast saves the final model of the first system that was trained.
func (r *run) saveLast() error {
	fitting := r.fitting()
	if len(fitting) == 0 {
		return nil
	}
	return r.save(fitting[0], true)
}

// save passes the model of a system, which must be idle, to Job.Save.
func (r *run) save(t *trained, last bool) error {
	if r.Save == nil {
		return nil
	}
	state, err := r.from.After(t.system)
	if err != nil {
		return err
	}
	err = r.Save(&checkpoint.Checkpoint{
		State: state, Batch: r.Config.Training.Batch, Data: r.Data.Name(), MiniBatches: t.done, Inputs: t.inputs, Latest: checkpoint.Digest(t.latest),
		Losses: t.losses,
	}, last)
	if err != nil {
		return saving{err}
	}
	return nil
}
