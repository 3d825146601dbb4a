// Package scratchpipe is ScratchPipe (ISCA 2022). Rows are in host memory. Each GPU caches rows
// that are about to be read in a scratchpad, so that it trains only on rows in its own memory. The
// click log determines these rows in advance.
//
// A mini-batch passes through stages. Consecutive stages, and consecutive mini-batches in the same
// stage, are one cycle apart:
//
//	Plan      looks rows up in the hit map, which is ahead of the slots, and chooses
//	          which rows leave
//	Collect   reads missing rows from host memory, and those that leave from their slots
//	Exchange  brings them over
//	Insert    writes them to where they belong
//	Train     on rows in slots
//
// Within a cycle, stages run in the worst order for correctness: all reads precede the cycle's
// writes. New pipelines the stages and NewStrawman runs them sequentially. NewIdeal ignores
// dependencies, as the Hotline paper did for its comparison.
//
// A slot is held while its row is read by a mini-batch of the window around the planned mini-batch.
// Past mini-batches are in the window because an evicted row would miss their updates or its own
// arrival. Future mini-batches are in it because they would read a stale value from host memory.
//
// New and NewStrawman guarantee:
//   - Parameters are bit-identical to sequential training.
//   - No held slot is taken, because there are enough slots for all rows of the window.
//   - A row is in at most one slot, and [System.Row] reads it from its current location between two
//     mini-batches.
//
// With several GPUs, table t is on GPU t modulo the number of GPUs, with a scratchpad for each
// table. Pooled vectors and their gradients are exchanged all-to-all.
package scratchpipe
