// Package cdlrm is cDLRM (RecSys 2021): all embedding tables in CPU memory, and
// caches of them on the GPUs, which hold what the mini-batches of a look-ahead
// window read before the first of them begins.
//
//	system, _ := cdlrm.New(machine, start, cdlrm.Options{Window: 100, Sets: 50_000, Ways: 16, Lambda: 1})
//	result, _ := train.Run(system, batches, train.Unwatched{}, nil)
//
// A prefetching process lists the distinct rows of the next window and copies them
// to a queue while the GPUs train on this one. When the window begins, rows that
// are cached stay; the others get a way of their set, and what that way held goes
// back to CPU memory. Rows that lose their way to another row are victims: each
// mini-batch that reads them fetches them to a victim table, and sends them back
// updated.
//
// It promises the parameters of sequential training, bit by bit, if Lambda is 1 and
// Options.Released is not set: a row that has gone back to CPU memory since it was
// copied to the queue is fetched again, and the gradients of all GPUs are summed
// exactly and make one step. That is the average of the GPUs' copies after a step
// each, but for the rounding of each copy and of the average, which is left out.
//
// With a larger Lambda each GPU updates its caches by the gradients of its own inputs,
// and the caches are averaged every Lambda mini-batches. With Options.Released, old
// rows are read and updates are lost, as in the authors' program, and counted.
package cdlrm
