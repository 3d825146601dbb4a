package audit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// group is a set of resources whose bytes depend on each other. In a run, they have one form.
type group struct {
	resources []string
	forms     int
}

// groups are all audited resources.
var groups = []group{
	{[]string{timing.LinkToGPUs, timing.HostRead}, 2},
	{[]string{timing.LinkToHost, timing.LinkNetwork}, 3},
	{[]string{timing.HostUpdate}, 1},
	{[]string{timing.HostWrite}, 1},
	{[]string{timing.GPURead}, 2},
	{[]string{timing.GPUUpdate}, 2},
	{[]string{timing.GPUWrite}, 2},
	{[]string{timing.GPUCollect}, 1},
	{[]string{timing.AcceleratorHostRead}, 1},
	{[]string{timing.AcceleratorHostWrite}, 1},
	{[]string{timing.AcceleratorGPURead}, 1},
	{[]string{timing.AcceleratorGPUWrite}, 1},
}

// Total compares the bytes of a resource in a run.
type Total struct {
	Resource string `json:"resource"`
	Timeline int64  `json:"timeline_bytes"`
	Counted  int64  `json:"counted_bytes"`
}

// Difference reports a resource for which the timeline of a mini-batch charges other bytes than the
// mini-batch uses.
type Difference struct {
	System     string
	MiniBatch  int // from 0, in the run
	Resource   string
	Counted    int64
	Charged    int64
	Flows      []string // what was counted
	Operations []string // what was charged
}

func (d *Difference) Error() string {
	return fmt.Sprintf("audit: %s, mini-batch %d, %s: %d bytes counted (%s), but the timeline charges %d (%s)",
		d.System, d.MiniBatch, d.Resource, d.Counted, list(d.Flows), d.Charged, list(d.Operations))
}

func list(s []string) string {
	if len(s) == 0 {
		return "nothing"
	}
	return strings.Join(s, ", ")
}

// Check compares the counts of a training with the charges of a system's order. It runs the order on
// a plan, with the work of the training. It returns the totals of all resources that the system
// uses, and a *Difference for the first resource and mini-batch that differ.
func (l *Ledger) Check(system string, order timing.System, p timing.Plan, works []timing.Work) ([]Total, error) {
	if p.Nodes != 1 {
		return nil, fmt.Errorf("audit: %d servers; expected 1", p.Nodes)
	}
	_, line, err := timing.Trace(order, p, works, func(int) bool { return true })
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.latest(); m >= l.done { // after the last mini-batch
		l.steps[l.done-1] = sum(l.steps[l.done-1], l.steps[m])
		delete(l.steps, m)
	}
	c := comparison{gpus: p.GPUs, rowBytes: timing.ValueBytes * int64(p.Model.Dim)}
	charged := charges(line)
	for m := range works {
		c.charged = append(c.charged, charged[timing.Flow(m)])
		c.steps = append(c.steps, l.steps[l.done-len(works)+m])
	}
	var totals []Total
	var first *Difference
	for _, g := range groups {
		form, d := c.form(g)
		if d != nil && first == nil {
			first, d.System = d, system
		}
		totals = append(totals, c.totals(g, form)...)
	}
	if first != nil {
		return totals, first
	}
	return totals, nil
}

// latest returns the highest number of a mini-batch with bytes.
func (l *Ledger) latest() int {
	if len(l.steps) == 0 {
		return -1
	}
	return slices.Max(slices.Collect(maps.Keys(l.steps)))
}

// comparison compares counts and charges, both by mini-batch.
type comparison struct {
	gpus     int
	rowBytes int64
	steps    []*step
	charged  [][]timeline.Event
}

// form returns the first form of a group without a difference. If there is none, it returns the
// form that differs last, and its difference.
func (c comparison) form(g group) (form int, last *Difference) {
	for f := range g.forms {
		d := c.difference(g, f)
		if d == nil {
			return f, nil
		}
		if last == nil || d.MiniBatch > last.MiniBatch {
			form, last = f, d
		}
	}
	return form, last
}

// difference returns the first mini-batch and resource of a group that differ, or nil.
func (c comparison) difference(g group, form int) *Difference {
	for m := range c.steps {
		for _, r := range g.resources {
			d := &Difference{MiniBatch: m, Resource: r}
			d.Charged, d.Operations = c.charge(m, r)
			d.Counted, d.Flows = c.count(m, r, form)
			if d.Counted != d.Charged {
				return d
			}
		}
	}
	return nil
}

// totals returns the totals of the resources of a group that are not 0.
func (c comparison) totals(g group, form int) (list []Total) {
	for _, r := range g.resources {
		t := Total{Resource: r}
		for m := range c.steps {
			charged, _ := c.charge(m, r)
			counted, _ := c.count(m, r, form)
			t.Timeline, t.Counted = t.Timeline+charged, t.Counted+counted
		}
		if t.Timeline != 0 || t.Counted != 0 {
			list = append(list, t)
		}
	}
	return list
}

// charge returns the bytes that operations of a mini-batch charge to a resource, and a list of them.
func (c comparison) charge(m int, resource string) (sum int64, what []string) {
	for _, e := range c.charged[m] {
		for _, d := range e.Data {
			if d.Resource == resource && d.Bytes != 0 {
				sum, what = sum+d.Bytes, append(what, fmt.Sprintf("%s %d", e.Label, d.Bytes))
			}
		}
	}
	return sum, what
}

// count returns the bytes of a resource in a form that were counted for a mini-batch, and a list of
// them.
func (c comparison) count(m int, resource string, form int) (sum int64, what []string) {
	s := c.steps[m]
	if s == nil {
		return 0, nil
	}
	add := func(name string, n int64) {
		if n != 0 {
			sum, what = sum+n, append(what, fmt.Sprintf("%s %d", name, n))
		}
	}
	for _, f := range slices.SortedFunc(maps.Keys(s.moved), func(a, b flow) int { return cmp.Compare(a.what, b.what) }) {
		if f.resource == resource {
			add(f.what, s.moved[f])
		}
	}
	add("fetched rows", s.forms[resource][form])
	if resource == timing.LinkNetwork {
		add("values", most(s.peers))
	}
	if form == 0 {
		add("busiest GPU", most(s.gpus[resource]))
	} else {
		add("equal shares", c.share(resource, s.gpus[resource]))
	}
	return sum, what
}

// most returns the largest number of bytes of a GPU.
func most(of map[int]int64) (n int64) {
	for _, bytes := range of {
		n = max(n, bytes)
	}
	return n
}

// share returns the bytes of a GPU that has its share of all accessed rows.
func (c comparison) share(resource string, of map[int]int64) int64 {
	row, all := c.rowBytes, int64(0)
	if resource == timing.GPUUpdate {
		row *= 2
	}
	for _, bytes := range of {
		all += bytes
	}
	n := row * int64(c.gpus)
	return (all + n - 1) / n * row
}

// sum adds b to a and returns the sum. a may be nil.
func sum(a, b *step) *step {
	if a == nil {
		return b
	}
	for f, n := range b.moved {
		a.moved[f] += n
	}
	for g, n := range b.peers {
		a.peers[g] += n
	}
	for resource, f := range b.forms {
		to := a.forms[resource]
		for i := range f {
			to[i] += f[i]
		}
		a.forms[resource] = to
	}
	for resource, of := range b.gpus {
		if a.gpus[resource] == nil {
			a.gpus[resource] = map[int]int64{}
		}
		for g, n := range of {
			a.gpus[resource][g] += n
		}
	}
	return a
}

// charges returns the events of a timeline that move or access values, by flow.
func charges(l *timeline.Timeline) map[string][]timeline.Event {
	m := map[string][]timeline.Event{}
	for _, e := range l.Events() {
		if len(e.Data) != 0 {
			m[e.Flow] = append(m[e.Flow], e)
		}
	}
	return m
}
