package papers

import (
	"github.com/hotline-rtl/hotline/host/node/machine"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// speedUp is how many times as fast a system is as another one, a mean over
// models.
type speedUp struct {
	of, over timing.System
	profile  timing.Profile
	models   []rec.Config
	gpus     int
	batch    int // inputs of a mini-batch, over all GPUs
	settles  int // mini-batches before the steady state
}

// spread evaluates it on a machine.
func (s speedUp) spread(m *machine.Machine) (timing.Spread, error) { return timing.Range(m, s.on) }

func (s speedUp) on(m *machine.Machine) (float64, error) {
	sum := 0.0
	for _, model := range s.models {
		p := timing.Plan{Machine: m, Profile: s.profile, Model: model, GPUs: s.gpus, Nodes: 1}
		of, err := steady(s.of, p, s.batch, s.settles)
		if err != nil {
			return 0, err
		}
		over, err := steady(s.over, p, s.batch, s.settles)
		if err != nil {
			return 0, err
		}
		sum += over / of
	}
	return sum / float64(len(s.models)), nil
}

// A run settles, has a steady state, and ends with mini-batches that lack successors to
// work for, as many as were there before it settled.
const (
	usual     = 2
	pipelined = 10 // where several are in flight, and the loader is ahead of them
	measured  = 3
)

// steady is the time of a mini-batch in the steady state of a run, in seconds.
func steady(system timing.System, p timing.Plan, batch, settles int) (float64, error) {
	works := make([]timing.Work, settles+measured+settles)
	for i := range works {
		works[i] = counts(p.Model, batch)
	}
	run, err := timing.Time(system, p, works)
	if err != nil {
		return 0, err
	}
	return (run.Ends[settles+measured] - run.Ends[settles]).Seconds() / measured, nil
}
