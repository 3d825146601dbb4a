// Package timing computes how long the mini-batches of a training system take on a machine with a
// software profile. It needs no values: a system reports the [Work] of each mini-batch, counts that
// depend only on indices. Its order, a function of type [System], books operators and transfers for
// these counts. The result is a timeline.
//
//	plan := timing.Plan{Machine: machine.Default(), Profile: profile, Model: model, GPUs: 4, Nodes: 1}
//	run, _ := timing.Time(system.Order(), plan, works)
//	run.Time, run.Phases, run.Chain
//
// Each system's order is in the system's folder. This package has the building blocks that systems
// share, and names no system.
//
// # How to write an order
//
// An order gets a [Schedule] and the works of all mini-batches. For each of them it calls
//
//	Begin         with the number of the mini-batch that is booked next
//	Mark          at the end of each phase, with one of the Phase constants or a name of its own
//	End           when the parameters are in place; the next mini-batch finds it in Params
//
// Between these calls it books work. Each method takes the point after which the work may begin,
// and returns the point at which it ends:
//
//	Load, LoadAll, ScanInputs               inputs
//	GPU, Wait                               operators of the GPUs
//	TrainOnCPU                              the dense part on the CPU
//	Copy, CopyGPUs, CopyByCPU, CopyPinned   bytes between host and GPUs
//	ReadRows, UpdateRows, UpdateLookups     rows in the memory of a server
//	HostRows, BookRows                      rows in host memory, read or written
//	BetweenServers                          rows in the memory of other servers
//	MoveRows, ExchangeHot                   rows that all GPUs hold
//	AllReduce, Replicate                    dense parameters
//	Book                                    anything else, on any resource
//
// GPU takes operators. Train, Embedding, Optimiser, RowUpdate, RowStates, RowMove, PooledVectors
// and Update return operators that systems share. An order can define its own [Op]: a label, a
// number of operators and the time of their kernels. Access adds the rows that they access, which
// package audit compares with the training. Two complete mini-batches are also shared: [CPUBags]
// trains on rows in host memory, and TrainOwn on rows that are distributed over the GPUs.
//
// Sizes come from Share, ServerShare, Bags, Pieces, Tables, RowBytes and DenseBytes; times from
// Machine, RowTime, ReadTime and UpdateTime. Resource adds a resource, such as a disk or an
// accelerator. Counts that only one system has are a type in that system's folder: the system sets
// [Work.Own], and the order reads it with the function [Own].
//
// # What a time means
//
// Most of the time of such a training is software: dispatching operators from a host thread,
// calling an embedding bag for each table, loading inputs, copying. So a time is valid for a
// software profile. The profile is a named input, like the machine. No profile is "the paper".
//
// GPUs of a machine work in lock-step. GPU 0, which has the largest share of the inputs, represents
// all GPUs. If a process has several GPUs, its host thread dispatches for all of them.
//
// The package guarantees:
//   - Equal plans and works give equal times, to the picosecond.
//   - The phases of a run add up to its time, and so does the chain of work that bounds it.
//   - Every kernel and every byte of a mini-batch is in exactly one event of the timeline.
package timing
