package consistency

import (
	"fmt"
	"slices"
	"sync"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// Watch is a train.Watch that compares a system with the reference.
type Watch struct {
	model     dlrm.Config
	bags      []dlrm.Bag
	size      int // of the pooled vectors of an input
	reference Reference

	mu       sync.Mutex
	underWay []*miniBatch // mini-batches in flight, in the order in which they began
	slots    map[slot]key
	places   map[key]slot
	ledger
	failed error // first error of the reference
}

type slot struct {
	store string
	no    int
}

// miniBatch is a mini-batch in flight, with the vectors that the GPUs have trained on so far.
type miniBatch struct {
	m       int
	batch   dlrm.Batch
	pooled  []float32 // inputs x size
	trained []bool    // by input
	reads   map[key]bool
}

// New returns a watch of a training that starts from a state.
func New(from *train.State) *Watch { return Against(from.Model, newSequential(from)) }

// Against is like [New] with the given reference, for a system that trains another model.
func Against(model dlrm.Config, t Reference) *Watch {
	bags := model.Bags()
	return &Watch{
		model: model, bags: bags, size: len(bags) * model.Dim, reference: t,
		slots: map[slot]key{}, places: map[key]slot{}, ledger: ledger{ages: map[int]int64{}},
	}
}

// Begin implements train.Watch.
func (w *Watch) Begin(m int, batch dlrm.Batch) {
	n := batch.Len()
	b := &miniBatch{m: m, batch: batch, pooled: make([]float32, n*w.size), trained: make([]bool, n), reads: map[key]bool{}}
	for i := range n {
		sparse := batch.At(i).Sparse
		for _, bag := range w.bags {
			for _, index := range sparse[:bag.Lookups] {
				b.reads[key{bag.Table, index}] = true
			}
			sparse = sparse[bag.Lookups:]
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.underWay = append(w.underWay, b)
}

// Pooled implements train.Watch.
func (w *Watch) Pooled(m, input int, pooled []float32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := w.find(m)
	if at < 0 {
		w.found(Finding{Kind: WrongRead, MiniBatch: m, Table: -1, Text: "it is trained on, but not under way"})
		return
	}
	b := w.underWay[at]
	if b.trained[input] {
		w.found(Finding{Kind: LostUpdate, MiniBatch: m, Table: -1, Text: fmt.Sprintf("input %d is trained on twice", input)})
	}
	b.trained[input] = true
	copy(b.pooled[input*w.size:], pooled)
}

// find returns the index of a mini-batch in flight, or -1.
func (w *Watch) find(m int) int {
	return slices.IndexFunc(w.underWay, func(b *miniBatch) bool { return b.m == m })
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

// free removes the row of a slot.
func (w *Watch) free(at slot) {
	k, ok := w.slots[at]
	if !ok {
		return
	}
	if i := slices.IndexFunc(w.underWay, func(b *miniBatch) bool { return b.reads[k] }); i >= 0 {
		w.found(Finding{Kind: HeldSlot, MiniBatch: w.underWay[i].m, Table: k.table, Row: k.index, Text: fmt.Sprintf("slot %d of %s is taken from it", at.no, at.store)})
	}
	delete(w.slots, at)
	if w.places[k] == at {
		delete(w.places, k)
	}
}

// End implements train.Watch. Earlier mini-batches that are still in flight are lost updates.
func (w *Watch) End(m int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	last := w.find(m)
	if last < 0 {
		w.found(Finding{Kind: LostUpdate, MiniBatch: m, Table: -1, Text: "it ends, but is not under way"})
		return
	}
	for _, b := range w.underWay[:last] {
		w.found(Finding{Kind: LostUpdate, MiniBatch: b.m, Table: -1, Text: fmt.Sprintf("it has not ended before mini-batch %d, which began later", m)})
		w.settle(b)
	}
	w.settle(w.underWay[last])
	w.underWay = slices.Delete(w.underWay, 0, last+1)
}

// settle checks the reads of a mini-batch, and trains the reference on it.
func (w *Watch) settle(b *miniBatch) {
	w.look(b)
	if err := w.reference.Step(b.m, b.batch, b.pooled); err != nil && w.failed == nil {
		w.failed = err
	}
}

// Finish compares the parameters of a system, which must be idle, with the reference. It returns
// the first findings of each kind. It returns an error if the reference could not train, or if a
// row cannot be read.
func (w *Watch) Finish(s train.System) ([]Finding, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, b := range w.underWay {
		w.found(Finding{Kind: LostUpdate, MiniBatch: b.m, Table: -1, Text: "it has not ended"})
	}
	if err := w.reference.Compare(s, w.found); err != nil {
		return nil, err
	}
	return w.first, w.failed
}
