package experiment

import (
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// stretch is the number of mini-batches on which ranges are computed.
const stretch = 100

// middle returns the mini-batches in the middle of a run. Ranges are computed on them, since more
// mini-batches hardly change a range.
func middle(works []timing.Work) []timing.Work {
	n := min(stretch, len(works))
	first := (len(works) - n) / 2
	return works[first : first+n]
}

// times contains the times of a system with a profile, in seconds.
type times struct {
	whole  float64   // whole run
	varied []float64 // the mini-batches in its middle, on each variant of the machine
}

// simulate sets the times of t for each reported profile.
func (r *run) simulate(t *trained) error {
	profiles, err := r.profiles()
	if err != nil {
		return err
	}
	t.times = map[timing.Profile]times{}
	for _, p := range profiles {
		whole, err := timing.Bare(t.system.Order(), r.plan(p), t.result.Works)
		if err != nil {
			return err
		}
		varied, err := r.variants.Times(t.system.Order(), r.plan(p), middle(t.result.Works))
		if err != nil {
			return err
		}
		t.times[p] = times{whole.Time.Seconds(), varied}
	}
	return nil
}

// profiles returns the profile of the configuration and, if systems are compared, all profiles of
// the project.
func (r *run) profiles() ([]timing.Profile, error) {
	list := []timing.Profile{r.Config.Profile()}
	if len(r.trained) == 1 {
		return list, nil
	}
	for _, name := range timing.ProfileNames() {
		p, err := timing.LoadProfile(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list, nil
}

// plan returns the plan of the configuration with another profile.
func (r *run) plan(p timing.Profile) timing.Plan {
	t := r.Config.Training
	return timing.Plan{Machine: r.Config.Machine(), Profile: p, Model: r.model, GPUs: t.GPUs, Nodes: t.Nodes}
}

// timed sets the simulated time of a system and its range.
func (r *run) timed(t *trained, to *report.System) error {
	plan, order := r.plan(r.Config.Profile()), t.system.Order()
	run, err := timing.Time(order, plan, t.result.Works)
	if err != nil {
		return err
	}
	spread := r.variants.Spread(t.times[r.Config.Profile()].varied)
	to.Time, to.BoundBy, to.Phases, to.Chain, to.Busy = run.Time, run.BoundBy(), run.Phases, run.Chain, run.Busy
	to.Low, to.High = scaled(run.Time, spread.Low/spread.Value), scaled(run.Time, spread.High/spread.Value)
	to.Links = append(run.Links, t.accelerated()...)
	t.series.timed(run.Ends, t.result.Works)
	return nil
}

// accelerated returns the traffic on the link of the accelerator, if there is one.
func (t *trained) accelerated() []timing.Link {
	if t.card == nil {
		return nil
	}
	x := t.server.Traffic()
	return []timing.Link{{Name: "to accelerator", Bytes: int64(x.ToCard.WireBytes)}, {Name: "from accelerator", Bytes: int64(x.FromCard.WireBytes)}}
}

// speedUps returns the speed-ups of all systems over the first, for each profile.
func (r *run) speedUps() ([]report.SpeedUp, error) {
	var list []report.SpeedUp
	profiles, err := r.profiles()
	if err != nil {
		return nil, err
	}
	if !r.trained[0].fits() {
		return list, nil
	}
	first := r.trained[0]
	for _, t := range r.fitting()[1:] {
		for _, p := range profiles {
			list = append(list, report.SpeedUp{System: t.Name, Over: first.Name, Profile: p.Name, Spread: r.speedUp(first.times[p], t.times[p])})
		}
	}
	return list, nil
}

// speedUp returns the speed-up over the whole run. Its range over the constants is computed on the
// mini-batches in the middle of the run.
func (r *run) speedUp(before, after times) timing.Spread {
	return r.variants.SpeedUp(before.varied, after.varied).Around(before.whole / after.whole)
}

// traced limits the number of mini-batches in a trace, so that viewers can display it.
const traced = 20

// trace returns the timeline of the first mini-batches of a system.
func (r *run) trace(t *trained) (*timeline.Timeline, error) {
	_, line, err := timing.Trace(t.system.Order(), r.plan(r.Config.Profile()), t.result.Works[:min(traced, len(t.result.Works))], func(int) bool { return true })
	return line, err
}

func scaled(t des.Time, factor float64) des.Time { return des.Time(math.Round(float64(t) * factor)) }
