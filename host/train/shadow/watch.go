package shadow

import (
	"fmt"
	"slices"
	"sync"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/train"
)

// Watch is a train.Watch that compares with the truth.
type Watch struct {
	truth *truth

	mu       sync.Mutex
	underWay []*miniBatch // in the order in which they began
	slots    map[slot]key
	places   map[key]slot
	findings []Finding
	failed   error // of the truth
}

type slot struct {
	store string
	no    int
}

// miniBatch is one under way, with what the GPUs trained on so far.
type miniBatch struct {
	m      int
	batch  rec.Batch
	pooled map[int][]float32 // by input
	reads  map[key]bool
}

// New makes a watch of a training that begins from a state.
func New(from *train.State) *Watch {
	return &Watch{truth: newTruth(from), slots: map[slot]key{}, places: map[key]slot{}}
}

// Begin implements train.Watch.
func (w *Watch) Begin(m int, batch rec.Batch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := &miniBatch{m: m, batch: batch, pooled: map[int][]float32{}, reads: map[key]bool{}}
	bags := w.truth.from.Model.Bags()
	for i := range batch.Len() {
		at := 0
		for _, bag := range bags {
			for range bag.Lookups {
				b.reads[key{bag.Table, batch.At(i).Sparse[at]}] = true
				at++
			}
		}
	}
	w.underWay = append(w.underWay, b)
}

// Pooled implements train.Watch.
func (w *Watch) Pooled(m, input int, pooled []float32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if b := w.find(m); b != nil {
		b.pooled[input] = slices.Clone(pooled)
		return
	}
	w.found(Finding{Kind: WrongRead, MiniBatch: m, Table: -1, Text: "the mini-batch has not begun"})
}

func (w *Watch) find(m int) *miniBatch {
	i := slices.IndexFunc(w.underWay, func(b *miniBatch) bool { return b.m == m })
	if i < 0 {
		return nil
	}
	return w.underWay[i]
}

// Keep implements train.Watch.
func (w *Watch) Keep(store string, no, table int, index uint32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at, k := slot{store, no}, key{table, index}
	if before, ok := w.slots[at]; ok && before != k {
		w.free(at)
	}
	if other, ok := w.places[k]; ok && other != at {
		w.found(Finding{Kind: TwoPlaces, MiniBatch: -1, Table: table, Row: index, Text: fmt.Sprintf("it is in slot %d of %s and in slot %d of %s", other.no, other.store, no, store)})
	}
	w.slots[at], w.places[k] = k, at
}

// Drop implements train.Watch.
func (w *Watch) Drop(store string, no int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.free(slot{store, no})
}

// free takes a slot from its row.
func (w *Watch) free(at slot) {
	k, ok := w.slots[at]
	if !ok {
		return
	}
	for _, b := range w.underWay {
		if b.reads[k] {
			w.found(Finding{Kind: HeldSlot, MiniBatch: b.m, Table: k.table, Row: k.index, Text: fmt.Sprintf("slot %d of %s is taken from it", at.no, at.store)})
			break
		}
	}
	delete(w.slots, at)
	if w.places[k] == at {
		delete(w.places, k)
	}
}

// End implements train.Watch.
func (w *Watch) End(m int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.underWay) == 0 || w.underWay[0].m != m {
		w.found(Finding{Kind: LostUpdate, MiniBatch: m, Table: -1, Text: "it ends before one that began earlier"})
		return
	}
	b := w.underWay[0]
	w.underWay = w.underWay[1:]
	w.compare(b)
	if err := w.truth.step(b.batch); err != nil && w.failed == nil {
		w.failed = err
	}
}

// found notes a finding.
func (w *Watch) found(f Finding) { w.findings = append(w.findings, f) }
