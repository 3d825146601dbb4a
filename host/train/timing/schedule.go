package timing

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
)

// Schedule is a plan on a timeline: the resources of a server, which stands for
// all servers. An order books them, by the methods here or by those of
// timeline.Resource.
type Schedule struct {
	Plan
	Loader *timeline.Resource // of inputs
	Thread *timeline.Resource // of a process, which dispatches
	CPU    *timeline.Resource // embedding bags and copies of rows
	ToGPUs *timeline.Resource // pinned copies, one way
	ToHost *timeline.Resource // and the other
	Stream *timeline.Resource // of a GPU
	Links  *timeline.Resource // among GPUs and servers
	Params timeline.Point     // when the parameters of the mini-batch before are in place

	line        *timeline.Timeline
	keep        func(m int) bool   // which mini-batches are recorded; nil for none
	staging     *timeline.Resource // pageable copies between host and GPUs
	accelerator *timeline.Resource
	driver      *timeline.Resource // of the accelerator: as many threads as are wanted
	prefetcher  *timeline.Resource // processes of cDLRM on the CPU
	evictor     *timeline.Resource
	staged      map[*timeline.Resource]int64 // pageable bytes, by their way
	marks       marks
	ends        []des.Time
	bagCount    int
	mlps        []mlp
}

func newSchedule(p Plan) *Schedule {
	l := timeline.New()
	return &Schedule{
		Plan: p, line: l,
		Loader: l.Resource("loader", 1), Thread: l.Resource("host thread", 1), CPU: l.Resource("CPU", 1),
		staging: l.Resource("pageable copies", 1), ToGPUs: l.Resource("copies to GPUs", 1), ToHost: l.Resource("copies to host", 1),
		Stream: l.Resource("GPU", 1), Links: l.Resource("GPU network", 1),
		accelerator: l.Resource(Accelerator, 1), driver: l.Resource("driver", driverThreads),
		prefetcher: l.Resource("prefetching process", 1), evictor: l.Resource("eviction process", 1),
		staged: map[*timeline.Resource]int64{}, marks: marks{line: l}, bagCount: len(p.Model.Bags()), mlps: mlpsOf(p.Model),
	}
}

// Accelerator is the name of the resource that is booked for its commands.
const Accelerator = "accelerator"

// driverThreads is more than there are commands at a time.
const driverThreads = 8

// Resource adds a resource that the order books, such as a disk, which does so many
// pieces of work at a time. It is idle.
func (s *Schedule) Resource(name string, servers int) *timeline.Resource {
	return s.line.Resource(name, servers)
}

// complete reports that the order has not ended so many mini-batches, or has left time
// without a mark.
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

// run is the outcome.
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

// Begin says of which mini-batch is what is booked from now on.
func (s *Schedule) Begin(m int) {
	if s.keep != nil {
		s.line.Record(s.keep(m))
		s.line.Flow(Flow(m))
	}
}

// Mark says that what has passed since the last mark, up to p, is a phase of this
// label. It is nothing if p is earlier.
func (s *Schedule) Mark(label string, p timeline.Point) { s.marks.mark(label, p) }

// End says when the parameters are in place that a mini-batch leaves. There is one end
// of each mini-batch, in their order.
func (s *Schedule) End(p timeline.Point) {
	s.Params = p
	s.ends = append(s.ends, p.At)
}

// Flow is the flow of a mini-batch in a timeline.
func Flow(m int) string { return fmt.Sprintf("mini-batch %d", m) }

// Share is how many of n inputs GPU 0 has, and server how many a server has.
func (s *Schedule) Share(n int) int  { return ceil(n, s.GPUs*s.Nodes) }
func (s *Schedule) server(n int) int { return ceil(n, s.Nodes) }

func ceil(a, b int) int { return (a + b - 1) / b }

// book books d of a resource, for bytes that it moves.
func book(r *timeline.Resource, label string, d des.Time, bytes int, after ...timeline.Point) timeline.Point {
	return r.Book(timeline.Work{Label: label, Time: d, Bytes: int64(bytes)}, after...)
}

// Load books the loading of n inputs for a system, with an accelerator or not, unless
// the profile hides it.
func (s *Schedule) Load(n int, accelerated bool, after timeline.Point) timeline.Point {
	if s.Profile.Loader == "hidden" || s.Profile.Loader == "baselines" && accelerated {
		return after
	}
	values := s.server(n) * (s.bags() + s.Model.DenseWidth() + 1)
	return book(s.Loader, "load inputs", s.Machine.Loader(values), 4*values, after)
}

// bags is the number of pooled vectors of an input.
func (s *Schedule) bags() int { return s.bagCount }

// RowBytes is the size of an embedding row, in bytes.
func (s *Schedule) RowBytes() int { return valueBytes * s.Model.Dim }

const valueBytes = 4

// marks divides the time into phases.
type marks struct {
	line   *timeline.Timeline
	last   timeline.Point
	phases []Phase
	bounds []map[string]des.Time

	lastOnly bool // phases are of no interest
}

// mark books the time from the last mark up to p, if that is later.
func (m *marks) mark(label string, p timeline.Point) {
	if p.At <= m.last.At {
		return
	}
	if m.lastOnly {
		m.last = p
		return
	}
	i := m.phase(label)
	m.phases[i].Time += p.At - m.last.At
	m.bounds[i][m.line.Bound(m.last, p)] += p.At - m.last.At
	m.last = p
}

// bounded are the phases with what bounds each.
func (m *marks) bounded() []Phase {
	for i := range m.phases {
		m.phases[i].BoundBy = longest(m.bounds[i])
	}
	return m.phases
}

func (m *marks) phase(label string) int {
	for i := range m.phases {
		if m.phases[i].Label == label {
			return i
		}
	}
	m.phases = append(m.phases, Phase{Label: label})
	m.bounds = append(m.bounds, map[string]des.Time{})
	return len(m.phases) - 1
}

// longest is the name with the most time, the first of several in the order of
// names.
func longest(times map[string]des.Time) string {
	top := ""
	for name, t := range times {
		if top == "" || t > times[top] || t == times[top] && name < top {
			top = name
		}
	}
	return top
}
