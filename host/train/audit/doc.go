// Package audit compares the bytes that a training uses with the bytes that its timeline charges.
//
// A [Ledger] counts in the functional run, in code that no system writes: the memories and the
// accelerator's link of the machine (it is a server.Observer), and package cluster. [Ledger.Check]
// compares the counts with the operations of a timeline, for each resource, mini-batch by
// mini-batch. A difference is an error that names the operations.
//
//	ledger := audit.NewLedger(first)
//	machine.Observe(ledger)
//	... build the system on the machine, train, and call ledger.Next after each mini-batch ...
//	totals, err := ledger.Check(name, system.Order(), plan, result.Works)
//
// # What counts on links
//
//   - A value that was read in one memory and is written in another has moved between them, no
//     matter which code copies it. A value that was computed has not.
//   - Pooled vectors that the CPU or other GPUs have pooled move to the GPU that trains on them.
//     Their gradients return the same way.
//   - Without such vectors, the GPUs exchange the gradients of all rows that each of them lists.
//   - Gradients of rows in host memory return in one of three forms: by pooled vector, by row and
//     GPU, or by row. Only the last form needs an exchange of these gradients. Missed rows come as
//     rows or pooled. A system uses one form in the whole run.
//   - A collective counts with the buffer of one rank, and one rank moves nothing. Tables that are
//     dealt out whole count as equal shares.
//
// # What counts in memories
//
//   - A read of float32 values is a read, unless a copy sends them. A write to the place that was
//     read last makes both an update. Any other write is a write.
//   - Values that come over a link to host memory are written by the CPU. Values that come to a GPU
//     are written by the copy, and do not count. A GPU collects values that it sends to the host.
//   - The reads, updates and writes of GPUs count for the busiest GPU, or as equal shares. A system
//     has one form for each of the three in the whole run.
//   - The accelerator's accesses are the payloads of its requests, except lists, bitmaps, rings and
//     mini-batches.
//
// The functional run moves no row ids and no optimiser states. Operations may charge them in
// addition (timing.Bytes), as well as a whole table in place of its changed rows
// (timing.Schedule.Collective).
//
// An audit needs values, a single server, and an accelerator without faults.
package audit
