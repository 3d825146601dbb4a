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

// links are the links that an audit compares.
var links = []string{timing.LinkToGPUs, timing.LinkToHost, timing.LinkNetwork}

// Difference is a link on which a mini-batch moves other bytes than its timeline charges.
type Difference struct {
	System     string
	MiniBatch  int // from 0, in the run
	Link       string
	Moved      int64
	Charged    int64
	Flows      []string // what moved
	Operations []string // what charged
}

func (d *Difference) Error() string {
	return fmt.Sprintf("audit: %s, mini-batch %d, %s: %d bytes moved (%s), but the timeline charges %d (%s)",
		d.System, d.MiniBatch, d.Link, d.Moved, list(d.Flows), d.Charged, list(d.Operations))
}

func list(s []string) string {
	if len(s) == 0 {
		return "nothing"
	}
	return strings.Join(s, ", ")
}

// Check compares the bytes that a training moved with the charges of a system's order. It runs the
// order on a plan, with the work of the training. It returns a *Difference for the first mini-batch
// and link that differ.
func (l *Ledger) Check(system string, order timing.System, p timing.Plan, works []timing.Work) error {
	if p.Nodes != 1 {
		return fmt.Errorf("audit: %d servers; expected 1", p.Nodes)
	}
	_, line, err := timing.Trace(order, p, works, func(int) bool { return true })
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	first, charged := l.done-len(works), charges(line)
	if m := l.latest(); m >= l.done { // after the last mini-batch
		l.steps[l.done-1] = sum(l.steps[l.done-1], l.steps[m])
		delete(l.steps, m)
	}
	for _, link := range links {
		if err := l.checkLink(system, link, first, len(works), charged); err != nil {
			return err
		}
	}
	return nil
}

// latest returns the highest number of a mini-batch with bytes.
func (l *Ledger) latest() int {
	if len(l.steps) == 0 {
		return -1
	}
	return slices.Max(slices.Collect(maps.Keys(l.steps)))
}

// checkLink compares a link in the first form without a difference. It returns the difference of
// the form that has it last.
func (l *Ledger) checkLink(system, link string, first, n int, charged map[string][]timeline.Event) error {
	var last *Difference
	for form := range len(forms{}) {
		d := l.difference(link, form, first, n, charged)
		if d == nil {
			return nil
		}
		if last == nil || d.MiniBatch > last.MiniBatch {
			last = d
		}
	}
	last.System = system
	return last
}

// difference returns the first mini-batch that differs on a link, or nil.
func (l *Ledger) difference(link string, form, first, n int, charged map[string][]timeline.Event) *Difference {
	for m := range n {
		d := &Difference{MiniBatch: m, Link: link}
		for _, e := range charged[timing.Flow(m)] {
			if e.Data.Link == link {
				d.Charged += e.Data.Bytes
				d.Operations = append(d.Operations, fmt.Sprintf("%s %d", e.Label, e.Data.Bytes))
			}
		}
		if s := l.steps[first+m]; s != nil {
			d.Moved, d.Flows = s.on(link, form)
		}
		if d.Moved != d.Charged {
			return d
		}
	}
	return nil
}

// on returns the bytes on a link in a form, and a list of them.
func (s *step) on(link string, form int) (sum int64, what []string) {
	add := func(name string, n int64) {
		if n != 0 {
			sum, what = sum+n, append(what, fmt.Sprintf("%s %d", name, n))
		}
	}
	for _, f := range slices.SortedFunc(maps.Keys(s.moved), func(a, b flow) int { return cmp.Compare(a.what, b.what) }) {
		if f.link == link {
			add(f.what, s.moved[f])
		}
	}
	add("fetched rows", s.forms[link][form])
	if link == timing.LinkNetwork {
		most := int64(0)
		for _, n := range s.peers {
			most = max(most, n)
		}
		add("values", most)
	}
	return sum, what
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
	for link, f := range b.forms {
		to := a.forms[link]
		for i := range f {
			to[i] += f[i]
		}
		a.forms[link] = to
	}
	return a
}

// charges returns the events of a timeline that move values, by flow.
func charges(l *timeline.Timeline) map[string][]timeline.Event {
	m := map[string][]timeline.Event{}
	for _, e := range l.Events() {
		if e.Data.Bytes != 0 {
			m[e.Flow] = append(m[e.Flow], e)
		}
	}
	return m
}
