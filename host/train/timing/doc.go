// Package timing computes how long the mini-batches of a training system take on a
// machine with a software profile. It knows no values: a system reports the [Work] of each
// mini-batch, counts that depend on indices only. Its order, a function of type [System],
// books operators and transfers for these counts, and so gives a timeline.
//
//	plan := timing.Plan{Machine: machine.Default(), Profile: profile, Model: model, GPUs: 4, Nodes: 1}
//	run, _ := timing.Time(system.Order(), plan, works)
//	run.Time, run.Phases, run.Chain
//
// Each system keeps its order in its own folder. This package has what systems share, and
// names none of them.
//
// # How to write an order
//
// An order gets a [Schedule] and the works of all mini-batches. For each of them it calls
//
//	Begin         with the number of the mini-batch that is booked next
//	Mark          at the end of each phase, with one of the Phase constants or a name of its own
//	End           when the parameters are in place; the next mini-batch finds it in Params
//
// Between these calls it books work. Each method gets the point after which the work may
// begin, and returns the point at which it ends:
//
//	Load, LoadAll                           inputs
//	GPU, Wait                               operators of the GPUs
//	Copy, CopyGPUs, CopyByCPU, CopyPinned   bytes between host and GPUs
//	ReadRows, UpdateRows, HostRows          rows in host memory
//	MoveRows, ExchangeHot                   rows that all GPUs hold
//	AllReduce, Replicate                    dense parameters
//	Book                                    anything else, on any resource
//
// GPU takes operators. Train, Embedding, Optimiser, RowUpdate, RowStates, RowMove,
// PooledVectors and Update return those that systems share; an [Op] of one's own is a
// label, a number of operators and the time of their kernels. Two whole mini-batches are
// shared, too: [CPUBags] trains on rows in host memory, and TrainOwn on rows that are
// dealt out to the GPUs.
//
// Sizes come from Share, ServerShare, Bags, Pieces, Tables, RowBytes and DenseBytes; times
// from Machine, RowTime, ReadTime and UpdateTime. Resource adds a resource, such as a disk
// or an accelerator. Counts that only one system has are a type in that system's folder:
// the system sets [Work.Own], and the order reads it with the function [Own].
//
// # What a time means
//
// Most of the time of such a training is software: dispatching operators from a
// host thread, calling an embedding bag for each table, loading inputs, copying.
// So a time is a statement about a software profile, which is an input with a
// name, as the machine is; none of the profiles is "the paper".
//
// GPUs of a machine do the same at the same time; GPU 0, which has the largest
// share of the inputs, represents all. A host thread of a process with several
// GPUs dispatches for all of them.
//
// The package guarantees
//   - that the same plan and works give the same times, to the picosecond;
//   - that a run's phases add up to its time, and so does the chain of work that
//     bounds it;
//   - that every kernel and every byte of a mini-batch is in one event of the
//     timeline.
package timing
