package parts

import (
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/train"
)

// Ledger divides the time of a run into parts without gaps.
type Ledger struct {
	k     *node.Kernel
	start node.Time
	last  node.Time
	parts []train.Part
}

// NewLedger begins at the kernel's present time, with these parts in this
// order.
func NewLedger(k *node.Kernel, labels ...string) *Ledger {
	l := &Ledger{k: k, start: k.Now(), last: k.Now()}
	for _, label := range labels {
		l.parts = append(l.parts, train.Part{Label: label})
	}
	return l
}

// Mark books the time since the last mark.
func (l *Ledger) Mark(label string) { l.MarkUntil(label, l.k.Now()) }

// MarkUntil books the time from the last mark up to t, if that is later.
func (l *Ledger) MarkUntil(label string, t node.Time) {
	if t <= l.last {
		return
	}
	for i := range l.parts {
		if l.parts[i].Label == label {
			l.parts[i].Time += t - l.last
			l.last = t
			return
		}
	}
	panic("parts: ledger has no part " + label)
}

// Total is the time from the start to the last mark.
func (l *Ledger) Total() node.Time { return l.last - l.start }

// Parts is the time per label; it adds up to Total.
func (l *Ledger) Parts() []train.Part { return append([]train.Part(nil), l.parts...) }

// Usage lists what has kept resources busy.
func Usage(resources []*node.Resource) []train.Usage {
	var all []train.Usage
	for _, r := range resources {
		for _, s := range r.Shares() {
			all = append(all, train.Usage{Resource: r.Name(), Label: s.Label, Time: s.Busy, Count: s.Count})
		}
	}
	return all
}
