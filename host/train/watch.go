package train

import "github.com/hotline-rtl/hotline/host/dlrm"

// Watch is told what a system does with embedding rows, so that it can find what
// sequential training would not do: a value that is old, an update that is lost, a
// slot taken from a row that is still needed, a row in two places. Package shadow
// has one that does.
//
// A mini-batch is under way from Begin to End. Several may be, but each begins
// behind the one before, in the order in which the system trains on them, and ends
// behind it.
type Watch interface {
	// Begin says that a mini-batch is under way: its rows may be fetched, and must
	// stay where they are kept. The number is any that the system likes.
	Begin(m int, batch dlrm.Batch)
	// Pooled says that the GPUs train on an input of mini-batch m with these pooled
	// vectors (bags x Dim). Many may call it at once.
	Pooled(m, input int, pooled []float32)
	// Keep says that a slot of a store holds a row from now on, and not what it held
	// before, and that the row is nowhere else but in host memory, where it may be
	// old. Copies that GPUs keep alike are one store.
	Keep(store string, slot, table int, index uint32)
	// Drop says that a slot holds nothing any more.
	Drop(store string, slot int)
	// End says that the updates of a mini-batch are made, wherever its rows are.
	End(m int)
}

// Unwatched is a Watch that does not look.
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
