// Package timeline computes the times of work on resources that serve in order: host threads, GPU
// streams, links, an accelerator. Work is booked in the order of its submission. It starts when its
// resource is free and the work that it waits for has ended.
//
//	l := timeline.New()
//	thread, stream := l.Resource("host thread", 1), l.Resource("GPU 0", 1)
//	dispatched := thread.Book(timeline.Work{Label: "gather", Time: 10})
//	done := stream.Book(timeline.Work{Label: "gather", Time: 25, Kernels: 1}, dispatched)
//
// Each [Point] contains the chain of work that led to it, a gapless breakdown of its time by
// resource. This chain is the critical path of a run.
//
// The package guarantees:
//   - The same bookings give the same times. More time for one piece of work never makes another
//     piece earlier.
//   - The times of a point's chain add up to its time, unless chains are disabled
//     ([Timeline.Chains]), which changes no time.
//   - A recorded timeline has one event per booking with its bytes and kernels, also in Chrome's
//     trace format.
package timeline
