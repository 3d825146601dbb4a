package papers

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// load holds everything that the time of a system depends on, except machine and software.
type load struct {
	system  timing.System
	model   dlrm.Config
	gpus    int
	works   []timing.Work
	settles int // number of mini-batches to exclude at the beginning, and at the end
	nodes   int // servers
}

// A run reaches a steady state after some mini-batches. As many at its end lack successors.
const (
	usual     = 2
	pipelined = 10 // for systems with several mini-batches in flight
	measured  = 3
)

// steady returns a load that repeats one mini-batch.
func steady(system timing.System, model dlrm.Config, c Case, w timing.Work, settles int) load {
	works := make([]timing.Work, settles+measured+settles)
	for i := range works {
		works[i] = w
	}
	return load{system, model, c.GPUs, works, settles, c.Nodes}
}

// run runs the load and returns its phases.
func (l load) run(m *machine.Machine, p timing.Profile) (timing.Run, error) {
	return timing.Time(l.system, l.plan(m, p), l.works)
}

func (l load) plan(m *machine.Machine, p timing.Profile) timing.Plan {
	return timing.Plan{Machine: m, Profile: p, Model: l.model, GPUs: l.gpus, Nodes: l.nodes}
}

// time returns the seconds of a mini-batch.
func (l load) time(m *machine.Machine, p timing.Profile) (float64, error) {
	run, err := timing.Bare(l.system, l.plan(m, p), l.works)
	if err != nil {
		return 0, err
	}
	if l.settles == 0 {
		return run.Time.Seconds() / float64(len(l.works)), nil
	}
	last := len(l.works) - l.settles
	return (run.Ends[last] - run.Ends[l.settles]).Seconds() / float64(last-l.settles), nil
}

// source makes a load, possibly by a training. Sources with the same name make the same load.
type source struct {
	name string
	make func() (load, error)
}

// part is a share of the mini-batches.
type part struct {
	share float64
	source
}

// mix holds all mini-batches of a system.
type mix []part

// all returns a mix of one kind of mini-batch.
func all(s source) mix { return mix{{1, s}} }

// clock times sources on all variants of a machine, once for each pair of source and software.
type clock struct {
	variants timing.Variants
	loads    *once[string, load]
	timed    once[timedKey, []float64]
}

type timedKey struct {
	source  string
	profile timing.Profile
}

func newClock(v timing.Variants) *clock { return &clock{variants: v, loads: new(once[string, load])} }

// on returns a clock for one other machine, which shares the loads.
func (c *clock) on(m *machine.Machine) *clock {
	return &clock{variants: timing.Variants{m}, loads: c.loads}
}

func (c *clock) load(s source) (load, error) { return c.loads.get(s.name, s.make) }

// mix returns the mean time of a mini-batch in seconds, for each variant.
func (c *clock) mix(x mix, p timing.Profile) ([]float64, error) {
	return c.sum(x, func(s source) ([]float64, error) {
		p.Name, p.Title = "", ""
		return c.timed.get(timedKey{s.name, p}, func() ([]float64, error) {
			return c.each(s, func(l load, m *machine.Machine) (float64, error) { return l.time(m, p) })
		})
	})
}

// phases returns the mean time of some phases of a mini-batch in seconds, for each variant. Without
// names it returns the time of all phases.
func (c *clock) phases(x mix, p timing.Profile, names ...string) ([]float64, error) {
	return c.sum(x, func(s source) ([]float64, error) {
		return c.each(s, func(l load, m *machine.Machine) (float64, error) {
			run, err := l.run(m, p)
			sum := 0.
			for _, f := range run.Phases {
				if len(names) == 0 || slices.Contains(names, f.Label) {
					sum += f.Time.Seconds()
				}
			}
			return sum / float64(len(l.works)), err
		})
	})
}

// each evaluates the load of a source on each variant.
func (c *clock) each(s source, f func(l load, m *machine.Machine) (float64, error)) ([]float64, error) {
	l, err := c.load(s)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(c.variants))
	for i, m := range c.variants {
		if values[i], err = f(l, m); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// sum adds the parts of a mix.
func (c *clock) sum(x mix, of func(s source) ([]float64, error)) ([]float64, error) {
	sum := make([]float64, len(c.variants))
	for _, part := range x {
		values, err := of(part.source)
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			sum[i] += part.share * v
		}
	}
	return sum, nil
}
