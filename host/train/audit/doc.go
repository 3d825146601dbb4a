// Package audit compares the bytes that a training moves with the bytes that its timeline charges.
//
// A [Ledger] counts in the functional run, in code that no system writes: the memories of the
// machine (it is a server.Observer) and package cluster. [Ledger.Check] compares the counts with
// the operations of a timeline, for each link, mini-batch by mini-batch. A difference is an error
// that names the operations.
//
//	ledger := audit.NewLedger(first)
//	machine.Observe(ledger)
//	... build the system on the machine, train, and call ledger.Next after each mini-batch ...
//	err := ledger.Check(name, system.Order(), plan, result.Works)
//
// # What counts as moved
//
//   - A value that was read in one memory and is written in another has moved between them, no
//     matter which code copies it. A value that was computed has not.
//   - Pooled vectors that the CPU or other GPUs have pooled move to the GPU that trains on them.
//     Their gradients return the same way.
//   - Without such vectors, the GPUs exchange the gradients of all rows that each of them lists.
//   - Gradients of rows in host memory return in one of three forms: by pooled vector, by row and
//     GPU, or by row. Missed rows come as rows or pooled. A system uses one form in the whole run.
//   - A collective counts with the buffer of one rank, and one rank moves nothing. Tables that are
//     dealt out whole count as equal shares.
//
// The functional run moves no row ids and no optimiser states over links. Operations may charge
// them in addition (timing.Bytes), as well as a whole table in place of its changed rows
// (timing.Schedule.Collective).
//
// An audit needs values and a single server.
package audit
