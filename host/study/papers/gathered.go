package papers

import (
	"context"
	"fmt"

	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	accelerated "github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// smallerClicks are generated on tables that are smaller than those of a log.
func smallerClicks(log string) clicks {
	return clicks{log, func() (data.Source, error) { return dividedClicks(log, smaller) }}
}

// dividedClicks are generated on tables with so many times fewer rows than those of a log.
func dividedClicks(log string, by int) (data.Source, error) {
	p, err := gen.Named(log, Seed)
	if err != nil {
		return nil, err
	}
	for t := range p.Params.Tables {
		p.Params.Tables[t].Rows = max(1, p.Params.Tables[t].Rows/by)
	}
	return gen.New(p.Params, p.Inputs)
}

// Of the mini-batches whose gather is measured.
const (
	gatheredGPUs   = 4
	gatheredBlocks = 1 << 13
)

// figure25Measured is how much longer a mini-batch takes than with a gather of no time, where the
// functional model of the accelerator says how long it gathers.
func (h hotline) figure25Measured() experiment {
	s := Study{
		Name: "Hotline Figure 25, gathers of the accelerator", Title: "time of a mini-batch over that with a gather of no time, rm3 on 4 GPUs, by popular inputs",
		item: "figure-25", Unit: "times", Over: "popular, %", Columns: columns(h.profiles),
		Depends: fmt.Sprintf("1.00 is a gather that is hidden. Second mini-batch of two with 1,024 inputs a GPU, generated on tables that are smaller than Terabyte's by 4 to 2^20 times, so that more and more "+
			"inputs are popular; an EAL of %d blocks has learned the first. The accelerator takes as long as its functional model with link and memories: it reads all rows of the other inputs, "+
			"hot ones from GPUs. In Figure 25 above, and all others of Hotline's times, it reads rows that are not hot only.", gatheredBlocks),
	}
	return s.by(func(ctx context.Context, k *clock, s *Study) error {
		for _, by := range []int{1 << 20, 1 << 16, 8192, 1024, 64, 4} {
			l, err := gatherWork(ctx, by)
			if err != nil {
				return err
			}
			w := l.works[0]
			var values []float64
			for _, p := range h.profiles {
				v, err := l.unhidden(k, p)
				if err != nil {
					return err
				}
				values = append(values, v)
			}
			s.row(fmt.Sprintf("%.0f", 100*float64(w.Popular)/float64(w.Inputs)), values...)
		}
		return nil
	})
}

// unhidden is the time of a mini-batch of a load over that with a gather of no time.
func (l load) unhidden(k *clock, p timing.Profile) (float64, error) {
	t, err := l.time(k.variants[0], p)
	if err != nil {
		return 0, err
	}
	free := l.works[0]
	free.Gather = 0
	none, err := steady(l.system, l.model, l.gpus, free, usual).time(k.variants[0], p)
	return t / none, err
}

// gatherWork is a mini-batch of Hotline behind one that was learned, again and again.
func gatherWork(ctx context.Context, smaller int) (load, error) {
	t := training{model: presets("rm3")[0], gpus: gatheredGPUs, batch: perGPU, batches: 2}
	var err error
	if t.clicks, err = dividedClicks(logs[t.model.Name], smaller); err != nil {
		return load{}, err
	}
	t.model.Tables = t.clicks.Shape().Tables
	o, err := t.run(ctx, func(s *server.Server, from *train.State) (train.System, error) {
		card, err := functional.New(s.Kernel, withBlocks(gatheredBlocks), s.Config.Period, s.Config.Endpoint)
		if err != nil {
			return nil, err
		}
		dev, err := s.Insert(card)
		if err != nil {
			return nil, err
		}
		return accelerated.New(s, dev, from, accelerated.DefaultOptions())
	}, nil)
	if err != nil {
		return load{}, err
	}
	return steady(timing.Hotline, t.model, t.gpus, o.Works[1], usual), nil
}
