package papers

import (
	"context"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
)

// training is one on generated clicks.
type training struct {
	model   dlrm.Config
	clicks  data.Source
	gpus    int
	batch   int // inputs of a GPU
	batches int
	values  bool // else only its counts are wanted
}

// Seed of all clicks and models here.
const Seed = 1

// constructor makes a system.
type constructor func(*server.Server, *train.State) (train.System, error)

// outcome is what became of a training.
type outcome struct {
	train.Result
	system train.System
}

// load is the training on a timeline.
func (t training) load(o outcome) load { return load{o.system.Order(), t.model, t.gpus, o.Works, 0, 1} }

// begun is the system before it trains, and its mini-batches.
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

// run trains; after, unless nil, is called after each mini-batch.
func (t training) run(ctx context.Context, c constructor, after func(m int, s train.System)) (outcome, error) {
	x, b, err := t.begun(c, 0)
	if err != nil {
		return outcome{}, err
	}
	m := 0
	r, err := train.Run(x, b, train.Unwatched{}, func(train.Step) error {
		if after != nil {
			after(m, x)
		}
		m++
		return context.Cause(ctx)
	})
	return outcome{r, x}, err
}

// hazards are what a watch finds in a training with values: what sequential training would
// not do.
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

// watchable is a training that is small enough for values: a short row and hardly an MLP.
func watchable() (training, error) {
	clicks, _, err := clicksOf("kaggle")
	if err != nil {
		return training{}, err
	}
	m := dlrm.Config{Name: "watched", Dense: 13, Dim: 4, Bottom: []int{13, 4}, Top: []int{1}, LearningRate: 0.1, Tables: clicks.Shape().Tables}
	return training{model: m, clicks: clicks, gpus: 1, batch: 64, batches: 24}, nil
}

// clicksOf are generated clicks like those of a log.
func clicksOf(log string) (data.Source, gen.Preset, error) {
	p, err := gen.Named(log, Seed)
	if err != nil {
		return nil, p, err
	}
	s, err := gen.New(p.Params, p.Inputs)
	return s, p, err
}

// logs are those that models of the papers train on.
var logs = map[string]string{"rm1": "taobao", "rm2": "kaggle", "rm3": "terabyte", "rm4": "avazu"}

// trainingOf is one of a preset on clicks like those of its log.
func trainingOf(model string, gpus, batch, batches int) (training, error) {
	clicks, _, err := clicksOf(logs[model])
	if err != nil {
		return training{}, err
	}
	m := presets(model)[0]
	m.Tables = clicks.Shape().Tables
	return training{model: m, clicks: clicks, gpus: gpus, batch: batch, batches: batches}, nil
}
