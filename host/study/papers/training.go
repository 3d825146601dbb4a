package papers

import (
	"context"
	"math"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
)

// training describes a training on generated samples.
type training struct {
	model   dlrm.Config
	clicks  data.Source
	gpus    int
	batch   int // samples of a GPU
	batches int
	values  bool // computes values in addition to counts
}

// Seed is the seed of all samples and models here.
const Seed = 1

// constructor creates a system.
type constructor func(*server.Server, *train.State) (train.System, error)

// outcome is the result of a training.
type outcome struct {
	train.Result
	system train.System
}

// begun returns a system before training, and its mini-batches.
func (t training) begun(c constructor, gib float64) (train.System, *train.Batches, error) {
	cfg := server.DefaultConfig()
	cfg.GPUs, cfg.Valueless = t.gpus, !t.values
	if gib > 0 {
		cfg.GPUMemoryGiB = gib
	}
	s, err := server.New(cfg)
	if err != nil {
		return nil, nil, err
	}
	from, err := train.Initial(t.model, Seed)
	if err != nil {
		return nil, nil, err
	}
	x, err := c(s, from)
	if err != nil {
		return nil, nil, err
	}
	b, err := train.NewBatches(t.model, t.clicks, t.batch*t.gpus, int64(t.batch*t.gpus*t.batches))
	return x, b, err
}

// run trains on all mini-batches.
func (t training) run(ctx context.Context, c constructor) (outcome, error) {
	x, b, err := t.begun(c, 0)
	if err != nil {
		return outcome{}, err
	}
	r, err := train.Run(x, b, train.Unwatched{}, func(train.Step) error { return context.Cause(ctx) })
	return outcome{r, x}, err
}

// hazards returns how many reads and updates of a training with values differ from a sequential
// training.
func (t training) hazards(c constructor) (float64, error) {
	t.values = true
	x, b, err := t.begun(c, 0)
	if err != nil {
		return 0, err
	}
	from, err := train.Initial(t.model, Seed)
	if err != nil {
		return 0, err
	}
	w := consistency.New(from)
	if _, err := train.Run(x, b, w, nil); err != nil {
		return 0, err
	}
	_, err = w.Finish(x)
	return float64(w.Summary().Findings), err
}

// watchable returns a training that is small enough to compute values, with short rows and almost
// no MLP.
func watchable() (training, error) {
	clicks, _, err := clicksOf("kaggle")
	if err != nil {
		return training{}, err
	}
	m := dlrm.Config{Name: "watched", Dense: 13, Dim: 4, Bottom: []int{13, 4}, Top: []int{1}, LearningRate: 0.1, Tables: clicks.Shape().Tables}
	return training{model: m, clicks: clicks, gpus: 1, batch: 64, batches: 24}, nil
}

// clicksOf returns generated samples that resemble a log.
func clicksOf(log string) (data.Source, gen.Preset, error) {
	p, err := gen.Named(log, Seed)
	if err != nil {
		return nil, p, err
	}
	s, err := gen.New(p.Params, p.Inputs)
	return s, p, err
}

// trainingOf returns a training of the model of a case, on samples with the popularity of its log.
func trainingOf(c Case) (training, error) {
	m, err := c.config()
	if err != nil {
		return training{}, err
	}
	t := training{model: m, gpus: c.GPUs, batch: c.Batch, batches: c.Batches}
	switch {
	case c.Clicks == "uniform":
		p := gen.Params{Name: "uniform", Seed: Seed, Dense: m.Dense, Contexts: 1, ContextZipf: 1, List: 1, Levels: 1, Signal: 1, Tables: []gen.Table{{Table: m.Tables[0]}}}
		t.clicks, err = gen.New(p, math.MaxInt64)
	case c.Rows > 0: // a single table, with the popularity of a large table of the log
		_, log, logErr := clicksOf(c.Clicks)
		if logErr != nil {
			return t, logErr
		}
		const large = 2
		log.Params.Tables = []gen.Table{{Table: m.Tables[0], Zipf: log.Params.Tables[large].Zipf}}
		t.clicks, err = gen.New(log.Params, math.MaxInt64)
	default:
		if t.clicks, _, err = clicksOf(c.Clicks); err == nil {
			t.model.Tables = t.clicks.Shape().Tables
		}
	}
	return t, err
}
