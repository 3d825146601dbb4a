// Package consistency watches a training system and knows the sequential truth: it
// trains the same model by itself, one mini-batch after the other on one device
// without a machine, and compares.
//
//	w := consistency.New(state)
//	err := system.Train(batches, w, done)
//	findings, err := w.Finish(system)
//	w.Summary()
//
// The truth trains on the vectors that the system trained on, so that an old value is
// one finding, not all that follows from it, and that in a system which may read old
// values, too, no update is lost. A system without findings has trained sequentially.
//
// A finding is one of
//   - a stale read: a pooled vector is made of rows of which some are as they were
//     before; its age is by how many updates the oldest of them is too old;
//   - a wrong read: a pooled vector is of no values that its rows are known to have
//     had;
//   - a lost update: an input that nobody trains on, or twice; a mini-batch that does
//     not end; at the end, a row or the dense part that is not the sequential one (of
//     a system whose embedding parameters are no rows, the dense part alone);
//   - a held slot: a slot is taken from a row that a mini-batch under way reads;
//   - two places: a row is kept in two slots at a time.
//
// All are counted, and the first of each kind are kept. So are the ages of all reads:
// of a system that may read old values, they are its staleness.
//
// What it keeps of the past is bounded, however long a training is: of values that
// rows had, the latest 64 MiB. A value that is older is unknown, and reading it a
// wrong read.
//
// A system that trains another model is watched with a [Truth] of its own: [NewFormed]
// if some of its tables have other parameters than rows.
package consistency
