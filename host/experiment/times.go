package experiment

import (
	"fmt"
	"io"
	"slices"

	"github.com/hotline-rtl/hotline/host/node/machine"
	"github.com/hotline-rtl/hotline/host/node/timeline"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// SpeedUp is how many times as fast a system is as another one with a software
// profile.
type SpeedUp struct {
	System  string `json:"system"`
	Over    string `json:"over"`
	Profile string `json:"profile"`
	timing.Spread
}

// stretch is how many mini-batches ranges are computed on.
const stretch = 100

// middle is the stretch in the middle of a run, where ranges are computed: they
// hardly depend on more mini-batches.
func middle(works []timing.Work) []timing.Work {
	n := min(stretch, len(works))
	first := (len(works) - n) / 2
	return works[first : first+n]
}

// plan is that of the configuration with a profile.
func (r *run) plan(p timing.Profile) timing.Plan {
	t := r.Config.Training
	return timing.Plan{Machine: r.Config.Machine(), Profile: p, Model: r.model, GPUs: t.GPUs, Nodes: t.Nodes}
}

// times sets what a system takes, and its range.
func (r *run) times(t *trained, to *SystemReport) error {
	plan, order := r.plan(r.Config.Profile()), t.system.Order()
	run, err := timing.Time(order, plan, t.result.Works)
	if err != nil {
		return err
	}
	part := middle(t.result.Works)
	spread, err := timing.Range(plan.Machine, func(m *machine.Machine) (float64, error) {
		plan.Machine = m
		run, err := timing.Time(order, plan, part)
		return run.Time.Seconds(), err
	})
	if err != nil {
		return err
	}
	to.Time, to.BoundBy, to.Phases, to.Chain, to.Busy = run.Time, run.BoundBy(), run.Phases, run.Chain, run.Busy
	to.Low, to.High = scaled(run.Time, spread.Low/spread.Value), scaled(run.Time, spread.High/spread.Value)
	t.series.timed(run.Ends)
	return nil
}

// speedUps are those of all systems over the first, in the profile of the
// configuration and in all that come with the project.
func (r *run) speedUps() ([]SpeedUp, error) {
	var list []SpeedUp
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
			list = append(list, SpeedUp{t.Name, first.Name, p.Name, s})
		}
	}
	return list, nil
}

// speedUp is that of the whole run; what it becomes with other constants is that of
// the stretch in its middle.
func (r *run) speedUp(first, t *trained, p timing.Profile) (timing.Spread, error) {
	s, err := timing.SpeedUp(first.system.Order(), t.system.Order(), r.plan(p), middle(first.result.Works), middle(t.result.Works))
	if err != nil {
		return s, err
	}
	slow, err := timing.Time(first.system.Order(), r.plan(p), first.result.Works)
	if err != nil {
		return s, err
	}
	fast, err := timing.Time(t.system.Order(), r.plan(p), t.result.Works)
	return s.Around(slow.Time.Seconds() / fast.Time.Seconds()), err
}

// traced is how many mini-batches a trace has, so that it can be looked at.
const traced = 20

// trace is the timeline of the first mini-batches of a system.
func (r *run) trace(t *trained) (*timeline.Timeline, error) {
	_, line, err := timing.Trace(t.system.Order(), r.plan(r.Config.Profile()), t.result.Works[:min(traced, len(t.result.Works))], func(int) bool { return true })
	return line, err
}

// WriteTrace writes the timeline of a job that asked for it, in Chrome's trace
// event format.
func (r *Report) WriteTrace(w io.Writer) error { return r.trace.WriteTrace(w) }

func (s SpeedUp) String() string {
	text := fmt.Sprintf("%.2f (%.2f to %.2f)", s.Value, s.Low, s.High)
	for i, d := range s.Depends {
		text += fmt.Sprintf("%s %s = %v to %v: %.2f to %.2f", []string{"; by", ","}[min(i, 1)], d.Constant, d.Low, d.High, d.AtLow, d.AtHigh)
	}
	return text
}
