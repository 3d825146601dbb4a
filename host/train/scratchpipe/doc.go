// Package scratchpipe is ScratchPipe (ISCA 2022): rows live in host memory, and each GPU
// keeps those that are about to be read in a scratchpad, so that it trains on rows in its
// own memory only. The clicks say in advance which rows these are.
//
// A mini-batch goes through stages, each a cycle behind the one before it, as do those
// around it:
//
//	Plan      looks rows up in the hit map, which is ahead of the slots, and chooses
//	          which rows leave
//	Collect   reads missing rows from host memory, and those that leave from their slots
//	Exchange  brings them over
//	Insert    writes them to where they belong
//	Train     on rows in slots
//
// Within a cycle stages run in the order that is worst for them: whatever is read is read
// before the cycle's writes. New pipelines them, NewStrawman runs them one after the other,
// NewIdeal leaves dependencies out as the Hotline paper did for its comparison.
//
// A slot is held while its row is read by a mini-batch of the window around the one that is
// planned: the past ones, whose updates or whose arrival a row that leaves would miss, and
// the future ones, which would find in host memory what it was before the row came back.
//
// It promises of New and NewStrawman
//   - that parameters are those of sequential training, bit by bit;
//   - that no held slot is taken, as there are enough for all rows of the window;
//   - that a row is in one slot at most, and that [System.Row] reads it from where it is
//     between two mini-batches.
//
// With several GPUs each holds the tables of its number, modulo how many there are, with a
// scratchpad for each; pooled vectors and their gradients are exchanged, all to all.
package scratchpipe
