package timing

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
)

// Schedule is a plan on a timeline: the resources of a server, which represents
// all servers. An order books them with the methods of Schedule, or with Book of
// [timeline.Resource].
type Schedule struct {
	Plan
	Loader *timeline.Resource // of inputs
	Thread *timeline.Resource // of a process, which dispatches
	CPU    *timeline.Resource // embedding bags and copies of rows
	ToGPUs *timeline.Resource // pinned copies to the GPUs
	ToHost *timeline.Resource // pinned copies to the host
	Stream *timeline.Resource // of a GPU
	Links  *timeline.Resource // among GPUs and servers
	Params timeline.Point     // when the parameters of the previous mini-batch are in place

	line      *timeline.Timeline
	miniBatch int                          // that the order books
	keep      func(m int) bool             // reports whether to record a mini-batch; nil for none
	staging   *timeline.Resource           // pageable copies between host and GPUs
	staged    map[*timeline.Resource]int64 // pageable bytes, by direction
	marks     marks
	ends      []des.Time
	bags      int
	mlps      []mlp
}

func newSchedule(p Plan) *Schedule {
	l := timeline.New()
	return &Schedule{
		Plan: p, line: l,
		Loader: l.Resource("loader", 1), Thread: l.Resource("host thread", 1), CPU: l.Resource("CPU", 1),
		staging: l.Resource("pageable copies", 1), ToGPUs: l.Resource(CopiesToGPUs, 1), ToHost: l.Resource(CopiesToHost, 1),
		Stream: l.Resource(GPU, 1), Links: l.Resource("GPU network", 1),
		staged: map[*timeline.Resource]int64{}, marks: marks{line: l}, bags: len(p.Model.Bags()), mlps: mlpsOf(p.Model),
	}
}

// Names of resources.
const (
	GPU          = "GPU"            // its stream
	CopiesToGPUs = "copies to GPUs" // pinned
	CopiesToHost = "copies to host" // pinned
	// Accelerator is for commands of an accelerator, which an order adds and books. Plots show its
	// dependences.
	Accelerator = "accelerator"
)

// Resource adds an idle resource for the order to book, such as a disk. It processes up to servers
// pieces of work at a time.
func (s *Schedule) Resource(name string, servers int) *timeline.Resource {
	return s.line.Resource(name, servers)
}

// complete returns an error if the order has not ended all mini-batches, or has left time without a
// mark.
func (s *Schedule) complete(miniBatches int) error {
	end := s.marks.last.At
	if n := len(s.ends); n != miniBatches {
		return fmt.Errorf("timing: an order has ended %d mini-batches of %d; expected one call of Schedule.End for each", n, miniBatches)
	}
	if len(s.ends) > 0 && slices.Max(s.ends) > end {
		return fmt.Errorf("timing: a mini-batch ends at %v, but the last mark of a phase is at %v; expected one at the end or later", slices.Max(s.ends), end)
	}
	return nil
}

// run returns the outcome.
func (s *Schedule) run() Run {
	end := s.marks.last
	r := Run{
		Time: end.At, Ends: s.ends, Phases: s.marks.bounded(), Chain: s.line.Chain(timeline.Point{}, end),
		Links: []Link{{"host to GPUs", s.ToGPUs.Moved() + s.staged[s.ToGPUs]}, {"GPUs to host", s.ToHost.Moved() + s.staged[s.ToHost]}, {"GPU network", s.Links.Moved()}},
	}
	for _, x := range s.line.Resources() {
		if x.Busy() > 0 {
			r.Busy = append(r.Busy, timeline.Share{Resource: x.Name(), Time: x.Busy()})
		}
	}
	return r
}

// Begin sets the mini-batch that the order books next.
func (s *Schedule) Begin(m int) {
	s.miniBatch = m
	if s.keep != nil {
		s.line.Record(s.keep(m))
		s.line.Flow(Flow(m))
	}
}

// Mark adds the time from the last mark up to p to the phase with this label. It does nothing if p
// is earlier.
func (s *Schedule) Mark(label string, p timeline.Point) { s.marks.mark(label, p) }

// End reports when the parameters of a mini-batch are in place. An order calls it once for each
// mini-batch, in order.
func (s *Schedule) End(p timeline.Point) {
	s.Params = p
	s.ends = append(s.ends, p.At)
}

// Flow returns the name of the flow of a mini-batch in a timeline.
func Flow(m int) string { return fmt.Sprintf("mini-batch %d", m) }

// Share returns how many of n inputs or rows GPU 0 has.
func (s *Schedule) Share(n int) int { return ceil(n, s.GPUs*s.Nodes) }

// ServerShare returns how many of n inputs or rows a server has.
func (s *Schedule) ServerShare(n int) int { return ceil(n, s.Nodes) }

func ceil(a, b int) int { return (a + b - 1) / b }

// Book books a resource for a time in which it moves bytes, and returns the end.
func (s *Schedule) Book(r *timeline.Resource, label string, d des.Time, bytes int, after ...timeline.Point) timeline.Point {
	return r.Book(timeline.Work{Label: label, Time: d, Bytes: int64(bytes)}, after...)
}

// Load books the loading of n inputs for a system, with an accelerator or without one,
// unless the profile hides it.
func (s *Schedule) Load(n int, accelerated bool, after timeline.Point) timeline.Point {
	if s.Profile.Loader == "baselines" && accelerated {
		return after
	}
	return s.LoadAll(s.ServerShare(n), after)
}

// LoadAll books the loading of n inputs in one process, unless the profile hides it.
func (s *Schedule) LoadAll(n int, after timeline.Point) timeline.Point {
	if s.Profile.Loader == "hidden" {
		return after
	}
	values := n * (s.Bags() + s.Model.DenseWidth() + 1)
	return s.Book(s.Loader, "load inputs", s.Machine.Loader(values), ValueBytes*values, after)
}

// Bags returns the number of pooled vectors of an input.
func (s *Schedule) Bags() int { return s.bags }

// Pieces returns the number of separate operators, calls or copies for the bags of an input, as
// seen by the software.
func (s *Schedule) Pieces() int {
	if s.Profile.Tables == "together" {
		return 1
	}
	return s.Bags()
}

// RowBytes returns the size of an embedding row.
func (s *Schedule) RowBytes() int { return ValueBytes * s.Model.Dim }

// Sizes in bytes.
const (
	ValueBytes = 4
	IDBytes    = 8 // of a row's table and index
)
