// Package timing says how long the mini-batches of a training system take on a
// machine with a software profile. It knows no values: a system reports the Work
// of each mini-batch, counts that depend on indices only, and the order of
// operators and transfers of a system gives a timeline.
//
//	plan := timing.Plan{Machine: machine.Default(), Profile: profile, Model: model, GPUs: 4, Nodes: 1}
//	run, _ := timing.Time(timing.Hotline, plan, works)
//	run.Time, run.Phases, run.Chain
//
// An order books work on the resources of a [Schedule]: with the methods that the orders
// here share, with resources of its own, for counts of its own. So it can be written
// outside this package, as docs/tutorial/training-system.md does.
//
// Most of the time of such a training is software: dispatching operators from a
// host thread, calling an embedding bag for each table, loading inputs, copying.
// So a time is a statement about a software profile, which is an input with a
// name, as the machine is; none of the profiles is "the paper".
//
// GPUs of a machine do the same at the same time; GPU 0, which has the largest
// share of the inputs, stands for all. A host thread of a process with several
// GPUs dispatches for all of them.
//
// It promises
//   - that the same plan and works give the same times, to the picosecond;
//   - that a run's phases add up to its time, and so does the chain of work that
//     bounds it;
//   - that every kernel and every byte of a mini-batch is in one event of the
//     timeline.
package timing
