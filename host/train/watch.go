package train

import "github.com/hotline-rtl/hotline/host/dlrm"

// Watch observes what a system does with embedding rows, so that it can detect deviations from
// sequential training: a stale value, a lost update, a slot reused while its row is still needed, a
// row in two places. Package consistency has an implementation.
//
// A mini-batch is in flight from Begin to End. Several mini-batches may be in flight. They begin
// and end in the order in which the system trains on them.
type Watch interface {
	// Begin announces that mini-batch m is in flight: its rows may be fetched, and must stay in
	// their slots. The system chooses the number m.
	Begin(m int, batch dlrm.Batch)
	// Pooled reports the pooled vectors (bags x Dim) with which the GPUs train on an input of
	// mini-batch m. It must be safe for concurrent use.
	Pooled(m, input int, pooled []float32)
	// Keep reports that a slot of a store now holds a row instead of its previous content. The row
	// is in no other store; host memory may hold a stale copy. Identical copies on several GPUs
	// count as one store.
	Keep(store string, slot, table int, index uint32)
	// Drop reports that a slot is now empty.
	Drop(store string, slot int)
	// End reports that all updates of a mini-batch have been made, wherever its rows are.
	End(m int)
}

// Unwatched is a Watch that ignores all events.
type Unwatched struct{}

// Begin implements Watch.
func (Unwatched) Begin(int, dlrm.Batch) {}

// Pooled implements Watch.
func (Unwatched) Pooled(int, int, []float32) {}

// Keep implements Watch.
func (Unwatched) Keep(string, int, int, uint32) {}

// Drop implements Watch.
func (Unwatched) Drop(string, int) {}

// End implements Watch.
func (Unwatched) End(int) {}
