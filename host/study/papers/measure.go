package papers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/train/timing"
)

// parameters specify how a row is measured. A row may override each parameter of its item.
type parameters struct {
	Measure   string   `hcl:"measure,optional" json:"measure,omitempty"`
	Part      string   `hcl:"part,optional" json:"-"`      // part of the result of the measure
	Of        string   `hcl:"of,optional" json:"-"`        // system
	Over      string   `hcl:"over,optional" json:"-"`      // system for comparison
	Workloads []string `hcl:"workloads,optional" json:"-"` // by name
	GPUs      []int    `hcl:"gpus,optional" json:"-"`      // of a server; one by default
	Nodes     int      `hcl:"nodes,optional" json:"-"`     // servers
	Batches   []int    `hcl:"batches,optional" json:"-"`   // samples per GPU, instead of the workload's
	Phases    []string `hcl:"phases,optional" json:"-"`    // phases of the time; all by default
	Without   []string `hcl:"without,optional" json:"-"`   // phases to exclude from the time
	Reduce    string   `hcl:"reduce,optional" json:"-"`    // reduction of several cases to a number; mean by default
	Falls     bool     `hcl:"falls,optional" json:"-"`     // for the smallest step: the series should fall
	Epochs    float64  `hcl:"epochs,optional" json:"-"`    // for minutes

	Systems []string  `hcl:"systems,optional" json:"-"` // systems to sort by time
	Times   []float64 `hcl:"times,optional" json:"-"`   // published times, relative to any of the systems
}

// expand returns the cases of a row, by step: one for each mini-batch size, if there are several, or
// else for each case.
func (p parameters) expand(workloads map[string]Workload) (steps [][]Case, err error) {
	gpus, batches := p.GPUs, p.Batches
	if gpus == nil {
		gpus = []int{1}
	}
	if batches == nil {
		batches = []int{0}
	}
	for _, batch := range batches {
		var list []Case
		for _, n := range gpus {
			for _, name := range p.Workloads {
				w, ok := workloads[name]
				if !ok {
					return nil, fmt.Errorf("there is no workload %q", name)
				}
				w.Batch = cmp.Or(batch, w.Batch)
				list = append(list, Case{w, n, max(1, p.Nodes)})
			}
		}
		if len(batches) > 1 {
			steps = append(steps, list)
			continue
		}
		for _, c := range list {
			steps = append(steps, []Case{c})
		}
	}
	return steps, nil
}

// timed is a measure of simulated time in one case, on each variant of the machine.
type timed func(b *bench, k *clock, r Record, c Case, p timing.Profile) ([]float64, error)

// times lists the measures of simulated time.
var times = map[string]timed{
	"time":     duration,
	"speed-up": speedUp,
	"loss":     loss,
	"share":    phaseShare,
}

// reductions lists the functions that reduce several cases to a number.
var reductions = map[string]func([]float64) float64{
	"": average, "most": slices.Max[[]float64], "least": slices.Min[[]float64], "least step": leastStep,
}

func average(values []float64) float64 {
	sum := 0.
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// leastStep returns the smallest factor between successive values.
func leastStep(values []float64) float64 {
	least := values[1] / values[0]
	for i := range values[1:] {
		least = min(least, values[i+1]/values[i])
	}
	return least
}

// evaluate returns a timing row on each variant of a clock's machine.
func (b *bench) evaluate(k *clock, r Record, p timing.Profile) ([]float64, error) {
	var columns [][]float64 // by step
	for _, step := range r.cases {
		sum := make([]float64, len(k.variants))
		for _, c := range step {
			values, err := times[r.Measure](b, k, r, c, p)
			if err != nil {
				return nil, err
			}
			for i, v := range values {
				sum[i] += v / float64(len(step))
			}
		}
		columns = append(columns, sum)
	}
	if r.Falls {
		slices.Reverse(columns)
	}
	out := make([]float64, len(k.variants))
	for i := range out {
		var row []float64
		for _, c := range columns {
			row = append(row, c[i])
		}
		out[i] = reductions[r.Reduce](row)
	}
	return out, nil
}

// seconds returns the time of a mini-batch of a system, or of the phases that the row names.
func (b *bench) seconds(k *clock, r Record, system string, c Case, p timing.Profile) ([]float64, error) {
	x, err := b.mix(system, c)
	if err != nil {
		return nil, err
	}
	if r.Phases == nil && r.Without == nil {
		return k.mix(x, p)
	}
	return b.phases(k, r, x, p)
}

// phases returns the time of the phases that a row names, or of all phases except those to exclude.
func (b *bench) phases(k *clock, r Record, x mix, p timing.Profile) ([]float64, error) {
	of, err := k.phases(x, p, r.Phases...)
	if err != nil || r.Without == nil || r.Phases != nil {
		return of, err
	}
	without, err := k.phases(x, p, r.Without...)
	if err != nil {
		return nil, err
	}
	return zip(of, without, func(a, b float64) float64 { return a - b }), nil
}

// duration returns the time of a mini-batch in ms, the minutes of a training, or mini-batches per
// second of all GPUs, depending on the unit of the row.
func duration(b *bench, k *clock, r Record, c Case, p timing.Profile) ([]float64, error) {
	values, err := b.seconds(k, r, r.Of, c, p)
	if err != nil {
		return nil, err
	}
	return each(values, func(s float64) float64 {
		switch r.Unit {
		case "min":
			return s * r.Epochs * c.Inputs / float64(c.all()) / 60
		case "1/s":
			return float64(c.GPUs) / s
		}
		return 1e3 * s
	}), nil
}

// speedUp returns the speed-up of system Of over system Over: the time of Over, or of the named
// phases, divided by the time of Of.
func speedUp(b *bench, k *clock, r Record, c Case, p timing.Profile) ([]float64, error) {
	of, err := b.seconds(k, r, r.Of, c, p)
	if err != nil {
		return nil, err
	}
	over, err := b.seconds(k, r, r.Over, c, p)
	if err != nil {
		return nil, err
	}
	return zip(over, of, func(a, b float64) float64 { return a / b }), nil
}

// loss returns the reduction of the rate, in percent, that corresponds to a speed-up.
func loss(b *bench, k *clock, r Record, c Case, p timing.Profile) ([]float64, error) {
	values, err := speedUp(b, k, r, c, p)
	return each(values, func(v float64) float64 { return 100 * (1 - 1/v) }), err
}

// phaseShare returns the time of phases as a percentage of the time without the excluded phases.
func phaseShare(b *bench, k *clock, r Record, c Case, p timing.Profile) ([]float64, error) {
	x, err := b.mix(r.Of, c)
	if err != nil {
		return nil, err
	}
	part, err := k.phases(x, p, r.Phases...)
	if err != nil {
		return nil, err
	}
	r.Phases = nil
	whole, err := b.phases(k, r, x, p)
	if err != nil {
		return nil, err
	}
	return zip(part, whole, func(a, b float64) float64 { return 100 * a / b }), nil
}

// each applies f to values.
func each(values []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = f(v)
	}
	return out
}

func zip(a, b []float64, f func(a, b float64) float64) []float64 {
	out := make([]float64, len(a))
	for i := range out {
		out[i] = f(a[i], b[i])
	}
	return out
}

// order returns the time of each system of an order in seconds, and the names of the systems, the
// fastest first.
func (b *bench) order(k *clock, r Record, p timing.Profile) (list []float64, names string, err error) {
	type place struct {
		system string
		time   float64
	}
	var places []place
	for _, system := range r.Systems {
		c := r.first()
		// A system may name its GPUs, as in "hugectr on 8".
		if name, on, ok := strings.Cut(system, " on "); ok {
			system = name
			if _, err := fmt.Sscan(on, &c.GPUs); err != nil {
				return nil, "", fmt.Errorf("papers: %s: %q: %w", r.ID, on, err)
			}
			c.Batch /= c.GPUs
		}
		x, err := b.mix(system, c)
		if err != nil {
			return nil, "", err
		}
		values, err := k.mix(x, p)
		if err != nil {
			return nil, "", err
		}
		list, places = append(list, values[0]), append(places, place{system, values[0]})
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.time, b.time) })
	var sorted []string
	for _, x := range places {
		sorted = append(sorted, x.system)
	}
	return list, strings.Join(sorted, ", "), nil
}
