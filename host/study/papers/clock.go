package papers

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// load is what a system does, and on how many GPUs: all that its time depends on but
// machine and software.
type load struct {
	system  timing.System
	model   dlrm.Config
	gpus    int
	works   []timing.Work
	settles int // mini-batches at the beginning that are left out, and as many at the end
	nodes   int // servers
}

// A run settles, has a steady state, and ends with mini-batches that lack successors to
// work for, as many as were there before it settled.
const (
	usual     = 2
	pipelined = 10 // where several are in flight, and the loader is ahead of them
	measured  = 3
)

// steady is a load that has the same mini-batch again and again.
func steady(system timing.System, model dlrm.Config, gpus int, w timing.Work, settles int) load {
	works := make([]timing.Work, settles+measured+settles)
	for i := range works {
		works[i] = w
	}
	return load{system, model, gpus, works, settles, 1}
}

// run is the load on a machine with a software.
func (l load) run(m *machine.Machine, p timing.Profile) (timing.Run, error) {
	return timing.Time(l.system, l.plan(m, p), l.works)
}

func (l load) plan(m *machine.Machine, p timing.Profile) timing.Plan {
	return timing.Plan{Machine: m, Profile: p, Model: l.model, GPUs: l.gpus, Nodes: l.nodes}
}

// time is that of a mini-batch on a machine with a software, in seconds.
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

// source makes a load, perhaps by a training. Sources of a name make the same.
type source struct {
	name string
	make func() (load, error)
}

// part is a share of the mini-batches.
type part struct {
	share float64
	source
}

// mix is the mini-batches of a system.
type mix []part

// all is a mix of one kind of mini-batch.
func all(s source) mix { return mix{{1, s}} }

// clock times sources on all variants of a machine, each with a software once.
type clock struct {
	variants timing.Variants
	loads    *once[string, load]
	timed    once[timedKey, []float64]
}

type timedKey struct {
	source  string
	profile timing.Profile
}

func newClock(m *machine.Machine) *clock {
	return &clock{variants: timing.NewVariants(m), loads: new(once[string, load])}
}

// alone is the clock on the machine itself, without its variants.
func (c *clock) alone() *clock { return &clock{variants: c.variants[:1], loads: c.loads} }

// load is that of a source.
func (c *clock) load(s source) (load, error) { return c.loads.get(s.name, s.make) }

// source is the time of a mini-batch of a source, in seconds, on each variant.
func (c *clock) source(s source, p timing.Profile) ([]float64, error) {
	p.Name, p.Title = "", ""
	return c.timed.get(timedKey{s.name, p}, func() ([]float64, error) { return c.onAll(s, p) })
}

func (c *clock) onAll(s source, p timing.Profile) ([]float64, error) {
	l, err := c.load(s)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(c.variants))
	for i, m := range c.variants {
		if values[i], err = l.time(m, p); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// mix is the mean time of a mini-batch, in seconds, on each variant.
func (c *clock) mix(x mix, p timing.Profile) ([]float64, error) {
	sum := make([]float64, len(c.variants))
	for _, part := range x {
		values, err := c.source(part.source, p)
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			sum[i] += part.share * v
		}
	}
	return sum, nil
}

// now is the mean time of a mini-batch, in seconds, on the machine itself.
func (c *clock) now(x mix, p timing.Profile) (float64, error) {
	sum := 0.0
	for _, part := range x {
		l, err := c.load(part.source)
		if err != nil {
			return 0, err
		}
		t, err := l.time(c.variants[0], p)
		if err != nil {
			return 0, err
		}
		sum += part.share * t
	}
	return sum, nil
}

// measure is a figure on each variant of a clock's machine.
type measure func(c *clock) ([]float64, error)

// pair is two systems at the same.
type pair struct{ of, over mix }

// speedUp is how many times as fast one system is as the other, a mean over pairs.
func speedUp(p timing.Profile, pairs ...pair) measure {
	return func(c *clock) ([]float64, error) {
		mean := make([]float64, len(c.variants))
		for _, x := range pairs {
			of, err := c.mix(x.of, p)
			if err != nil {
				return nil, err
			}
			over, err := c.mix(x.over, p)
			if err != nil {
				return nil, err
			}
			for i := range mean {
				mean[i] += over[i] / of[i] / float64(len(pairs))
			}
		}
		return mean, nil
	}
}

// extreme is the largest or the smallest of several figures.
func extreme(of func([]float64) float64, list ...measure) measure {
	return func(c *clock) ([]float64, error) {
		columns := make([][]float64, len(c.variants))
		for _, m := range list {
			values, err := m(c)
			if err != nil {
				return nil, err
			}
			for i, v := range values {
				columns[i] = append(columns[i], v)
			}
		}
		out := make([]float64, len(columns))
		for i, column := range columns {
			out[i] = of(column)
		}
		return out, nil
	}
}

// leastStep is by how many times figures grow from one to the next, at least.
func leastStep(list ...measure) measure {
	var steps []measure
	for i := range list[1:] {
		steps = append(steps, ratio(list[i+1], list[i]))
	}
	return extreme(slices.Min, steps...)
}

// ratio is one figure over another.
func ratio(a, b measure) measure {
	return func(c *clock) ([]float64, error) {
		of, err := a(c)
		if err != nil {
			return nil, err
		}
		over, err := b(c)
		if err != nil {
			return nil, err
		}
		out := make([]float64, len(of))
		for i := range out {
			out[i] = of[i] / over[i]
		}
		return out, nil
	}
}

// leastSteps is a row of the least step of figures.
func leastSteps(profiles []timing.Profile, record string, figures []func(p timing.Profile) measure) FigureRow {
	return row(profiles, beside(record), func(p timing.Profile) measure {
		var list []measure
		for _, f := range figures {
			list = append(list, f(p))
		}
		return leastStep(list...)
	}, "least step")
}

// seconds is the time of a mini-batch.
func seconds(x mix, p timing.Profile) measure {
	return func(c *clock) ([]float64, error) { return c.mix(x, p) }
}

// milliseconds is the same in ms.
func milliseconds(x mix, p timing.Profile) measure { return scaled(seconds(x, p), 1e3) }

// scaled is a figure in another unit. What it scales must be nobody else's.
func scaled(m measure, by float64) measure {
	return func(c *clock) ([]float64, error) {
		values, err := m(c)
		for i := range values {
			values[i] *= by
		}
		return values, err
	}
}

// rate is how many mini-batches there are in a second, times a number of GPUs.
func rate(x mix, p timing.Profile, gpus int) measure {
	return func(c *clock) ([]float64, error) {
		values, err := c.mix(x, p)
		for i := range values {
			values[i] = float64(gpus) / values[i]
		}
		return values, err
	}
}

// ofRuns is a figure of the runs of a source.
func ofRuns(s source, p timing.Profile, figure func(l load, run timing.Run) float64) measure {
	return func(c *clock) ([]float64, error) {
		l, err := c.load(s)
		if err != nil {
			return nil, err
		}
		values := make([]float64, len(c.variants))
		for i, m := range c.variants {
			run, err := l.run(m, p)
			if err != nil {
				return nil, err
			}
			values[i] = figure(l, run)
		}
		return values, nil
	}
}

// phase is the time of some phases of a run, in seconds.
func phase(r timing.Run, labels ...string) float64 {
	sum := 0.0
	for _, f := range r.Phases {
		if slices.Contains(labels, f.Label) {
			sum += f.Time.Seconds()
		}
	}
	return sum
}
