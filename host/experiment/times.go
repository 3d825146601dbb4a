package experiment

import (
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/experiment/report"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/node/timeline"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// stretch is how many mini-batches ranges are computed on.
const stretch = 100

// middle is the stretch in the middle of a run, where ranges are computed: they
// hardly depend on more mini-batches.
func middle(works []timing.Work) []timing.Work {
	n := min(stretch, len(works))
	first := (len(works) - n) / 2
	return works[first : first+n]
}

// ofSystem names the times of a system with a profile.
type ofSystem struct {
	system  *trained
	profile timing.Profile
}

// varied are the times that the stretch in the middle of a system's run takes on the
// variants of the machine. They are computed once: several figures need them.
func (r *run) varied(t *trained, p timing.Profile) ([]float64, error) {
	of := ofSystem{t, p}
	if times, ok := r.times[of]; ok {
		return times, nil
	}
	if r.times == nil {
		r.variants, r.times = timing.NewVariants(r.Config.Machine()), map[ofSystem][]float64{}
	}
	times, err := r.variants.Times(t.system.Order(), r.plan(p), middle(t.result.Works))
	r.times[of] = times
	return times, err
}

// plan is that of the configuration with a profile.
func (r *run) plan(p timing.Profile) timing.Plan {
	t := r.Config.Training
	return timing.Plan{Machine: r.Config.Machine(), Profile: p, Model: r.model, GPUs: t.GPUs, Nodes: t.Nodes}
}

// timed sets what a system takes, and its range.
func (r *run) timed(t *trained, to *report.System) error {
	plan, order := r.plan(r.Config.Profile()), t.system.Order()
	run, err := timing.Time(order, plan, t.result.Works)
	if err != nil {
		return err
	}
	times, err := r.varied(t, r.Config.Profile())
	if err != nil {
		return err
	}
	spread := r.variants.Spread(times)
	to.Time, to.BoundBy, to.Phases, to.Chain, to.Busy = run.Time, run.BoundBy(), run.Phases, run.Chain, run.Busy
	to.Low, to.High = scaled(run.Time, spread.Low/spread.Value), scaled(run.Time, spread.High/spread.Value)
	to.Links = append(run.Links, t.accelerated()...)
	t.series.timed(run.Ends)
	return nil
}

// accelerated is what the link of the accelerator has carried, if there is one.
func (t *trained) accelerated() []timing.Link {
	if t.card == nil {
		return nil
	}
	x := t.server.Traffic()
	return []timing.Link{{Name: "to accelerator", Bytes: int64(x.ToCard.WireBytes)}, {Name: "from accelerator", Bytes: int64(x.FromCard.WireBytes)}}
}

// speedUps are those of all systems over the first, in the profile of the
// configuration and in all that come with the project.
func (r *run) speedUps() ([]report.SpeedUp, error) {
	var list []report.SpeedUp
	profiles := []timing.Profile{r.Config.Profile()}
	for _, name := range timing.ProfileNames() {
		p, err := timing.LoadProfile(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(profiles, p) {
			profiles = append(profiles, p)
		}
	}
	if r.trained[0].noRoom != nil {
		return list, nil
	}
	first := r.trained[0]
	for _, t := range r.fitting()[1:] {
		for _, p := range profiles {
			s, err := r.speedUp(first, t, p)
			if err != nil {
				return nil, err
			}
			list = append(list, report.SpeedUp{System: t.Name, Over: first.Name, Profile: p.Name, Spread: s})
		}
	}
	return list, nil
}

// speedUp is that of the whole run; what it becomes with other constants is that of
// the stretch in its middle.
func (r *run) speedUp(first, t *trained, p timing.Profile) (timing.Spread, error) {
	before, err := r.varied(first, p)
	if err != nil {
		return timing.Spread{}, err
	}
	after, err := r.varied(t, p)
	if err != nil {
		return timing.Spread{}, err
	}
	s := r.variants.SpeedUp(before, after)
	slow, err := timing.Bare(first.system.Order(), r.plan(p), first.result.Works)
	if err != nil {
		return s, err
	}
	fast, err := timing.Bare(t.system.Order(), r.plan(p), t.result.Works)
	return s.Around(slow.Time.Seconds() / fast.Time.Seconds()), err
}

// traced is how many mini-batches a trace has, so that it can be looked at.
const traced = 20

// trace is the timeline of the first mini-batches of a system.
func (r *run) trace(t *trained) (*timeline.Timeline, error) {
	_, line, err := timing.Trace(t.system.Order(), r.plan(r.Config.Profile()), t.result.Works[:min(traced, len(t.result.Works))], func(int) bool { return true })
	return line, err
}

func scaled(t node.Time, factor float64) node.Time { return node.Time(math.Round(float64(t) * factor)) }
