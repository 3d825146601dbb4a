// Package consistency checks a training system against a sequential reference. The reference trains
// the same model one mini-batch at a time on one device without a machine.
//
//	w := consistency.New(state)
//	err := system.Train(batches, w, done)
//	findings, err := w.Finish(system)
//	w.Summary()
//
// The reference trains on the vectors that the system trained on. So a stale value is a single
// finding without later consequences, and lost updates are detected even in systems that may read
// stale values. A system without findings has trained sequentially.
//
// The kinds of findings are:
//   - Stale read: a pooled vector contains earlier values of some rows. Its age is the largest
//     number of updates that a row lacks.
//   - Wrong read: a pooled vector does not result from any known values of its rows.
//   - Lost update: an input is not trained on, or twice; a mini-batch does not end; or a row or the
//     dense part differs from the reference at the end. For a system whose embedding parameters are
//     not rows, only the dense part is compared.
//   - Held slot: a slot is taken from a row that a mini-batch in flight reads.
//   - Two places: a row is in two slots at a time.
//
// All findings are counted, and the first of each kind are kept. The ages of all reads are counted,
// too. They are the staleness of a system that may read stale values.
//
// The memory for past values is bounded for any length of training: the latest 64 MiB of values are
// kept. Reading an older value is a wrong read.
//
// A system that trains another model needs a [Reference] of its own. [NewFormed] is a reference for
// systems in which the parameters of some tables are not rows.
package consistency
