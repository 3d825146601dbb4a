package watch

import (
	"sync"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// LeastPolls is the number of reads in sequence with the same answer that make a finding.
const LeastPolls = 1000

// Watch observes the cards in a slot, one after the other. Its methods may be called from any
// goroutine.
type Watch struct {
	mutex    sync.Mutex
	findings map[place]*Finding
	notify   func(Finding)

	endpoint *link.Endpoint
	now      des.Time
	rings    rings
	polls    polls
}

// place is the identity of a finding.
type place struct {
	kind Kind
	addr uint64
}

// rings is the state of the rings since the last reset.
type rings struct {
	resets int               // of the endpoint
	bases  map[uint64]uint32 // values of the address registers that were written, by offset
	log2   uint32            // size of the completion ring
	head   uint16            // entries that the driver has returned
	tail   uint16            // entries that the card has written
}

// polls is the current sequence of equal reads.
type polls struct {
	asked  map[uint16]uint64 // offsets of reads without an answer, by tag
	offset uint64
	value  uint32
	n      int64
}

// New returns a watch without a card.
func New() *Watch { return &Watch{findings: map[place]*Finding{}} }

// Notify calls f for each finding from now on, when it occurs for the first time. f must not call
// the watch.
func (w *Watch) Notify(f func(Finding)) { w.notify = f }

// Attach continues with a card.
func (w *Watch) Attach(l *link.Link, e *link.Endpoint) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.endpoint = e
	w.restart()
	l.Observe(w.observe)
}

// Findings returns the findings so far, in the order of their first occurrence.
func (w *Watch) Findings() []Finding {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return sorted(w.findings)
}

// pageBytes is the size of the pages in which a host maps memory.
const pageBytes = 4096

// Unmapped records that the host refused an access of the card to its memory.
func (w *Watch) Unmapped(addr uint64) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.found(Unmapped, addr&^(pageBytes-1), 1)
}

// found counts a finding.
func (w *Watch) found(k Kind, addr uint64, n int64) {
	p := place{k, addr}
	f := w.findings[p]
	if f == nil {
		f = &Finding{Kind: k, Address: addr, First: w.now}
		w.findings[p] = f
	}
	if f.Count += n; f.Count == n && w.notify != nil {
		w.notify(*f)
	}
}

// restart forgets the state of the rings.
func (w *Watch) restart() {
	w.rings = rings{resets: w.endpoint.Resets(), bases: map[uint64]uint32{}}
	w.polls = polls{asked: map[uint16]uint64{}}
}

// observe implements link.Observer.
func (w *Watch) observe(dir link.Direction, at des.Time, t *pcie.TLP) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.now = at
	if w.endpoint.Resets() != w.rings.resets {
		w.restart()
	}
	switch ours := w.endpoint.BAR().Contains(t.Addr); {
	case dir == link.Down && ours && t.Kind == pcie.MRd:
		w.read(t)
	case dir == link.Down && ours && t.Kind == pcie.MWr:
		w.write(t)
	case dir == link.Up && t.Kind == pcie.CplD:
		w.answer(t)
	case dir == link.Up && t.Class() != pcie.Completion:
		w.polls.n = 0
		w.completion(t)
	}
}
