// Package cdlrm is cDLRM (RecSys 2021). All embedding tables are in CPU memory. Caches on the GPUs
// hold the rows that the mini-batches of a look-ahead window read, before the first mini-batch
// begins.
//
//	system, _ := cdlrm.New(machine, start, cdlrm.Options{Window: 100, Sets: 50_000, Ways: 16, Lambda: 1})
//	result, _ := train.Run(system, batches, train.Unwatched{}, nil)
//
// While the GPUs train on a window, a prefetching process lists the distinct rows of the next
// window and copies them to a queue. When the next window begins, cached rows stay. Each other row
// gets a way of its set, and the previous row of that way goes back to CPU memory. Rows that lose
// their way to another row are victims: each mini-batch that reads them fetches them to a victim
// table, and writes the updated rows back.
//
// If Lambda is 1 and Options.Released is not set, the parameters are bit-identical to sequential
// training. A queued row that has been written back to CPU memory since is fetched again. The
// gradients of all GPUs are summed exactly and make one step. This equals the average of the GPUs'
// copies after separate steps, except for the rounding of the copies and of the average.
//
// With a larger Lambda, each GPU updates its caches by the gradients of its own inputs, and the
// caches are averaged every Lambda mini-batches. With Options.Released, stale rows are read and
// updates are lost, as in the authors' program; both are counted.
package cdlrm
