// Package timeline says when work is done by resources that serve in order: host
// threads, GPU streams, links, an accelerator. Work is booked in the order of its
// submission; it starts when its resource is free and what it waits for has
// ended.
//
//	l := timeline.New()
//	thread, stream := l.Resource("host thread", 1), l.Resource("GPU 0", 1)
//	dispatched := thread.Book(timeline.Work{Label: "gather", Time: 10})
//	done := stream.Book(timeline.Work{Label: "gather", Time: 25, Kernels: 1}, dispatched)
//
// Each [Point] knows the chain of work that led to it: what took its time, without
// gaps, by resource. That chain is what bounds a run.
//
// It promises
//   - that the same bookings give the same times, and that more time for one
//     piece of work never makes another one earlier;
//   - that the times of a point's chain add up to its time, unless the timeline does
//     without chains ([Timeline.Chains]), which changes no time;
//   - that a recorded timeline has each booking in one event, with its bytes and
//     kernels, in Chrome's trace format as well.
package timeline
