package timing

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/node/timeline"
)

// schedule is a plan on a timeline: the resources of a server, which stands for
// all servers.
type schedule struct {
	Plan
	line        *timeline.Timeline
	keep        func(m int) bool // which mini-batches are recorded; nil for none
	loader      *timeline.Resource
	thread      *timeline.Resource // of a process, which dispatches
	cpu         *timeline.Resource // embedding bags and copies of rows
	staging     *timeline.Resource // pageable copies between host and GPUs
	toGPUs      *timeline.Resource // pinned copies, one way
	toHost      *timeline.Resource // and the other
	stream      *timeline.Resource // of a GPU
	links       *timeline.Resource // among GPUs and servers
	accelerator *timeline.Resource
	driver      *timeline.Resource // of the accelerator: as many threads as are wanted
	prefetcher  *timeline.Resource // processes of cDLRM on the CPU
	evictor     *timeline.Resource
	params      timeline.Point               // when the parameters of the mini-batch before are in place
	staged      map[*timeline.Resource]int64 // pageable bytes, by their way
	marks       marks
	ends        []node.Time
}

func newSchedule(p Plan) *schedule {
	l := timeline.New()
	return &schedule{
		Plan: p, line: l,
		loader: l.Resource("loader", 1), thread: l.Resource("host thread", 1), cpu: l.Resource("CPU", 1),
		staging: l.Resource("pageable copies", 1), toGPUs: l.Resource("copies to GPUs", 1), toHost: l.Resource("copies to host", 1),
		stream: l.Resource("GPU", 1), links: l.Resource("GPU network", 1),
		accelerator: l.Resource(Accelerator, 1), driver: l.Resource("driver", driverThreads),
		prefetcher: l.Resource("prefetching process", 1), evictor: l.Resource("eviction process", 1),
		staged: map[*timeline.Resource]int64{}, marks: marks{line: l},
	}
}

// Accelerator is the name of the resource that is booked for its commands.
const Accelerator = "accelerator"

// driverThreads is more than there are commands at a time.
const driverThreads = 8

func (s *schedule) run() Run {
	end := s.marks.last
	r := Run{
		Time: end.At, Ends: s.ends, Phases: s.marks.phases, Chain: s.line.Chain(timeline.Point{}, end),
		Links: []Link{{"host to GPUs", s.toGPUs.Moved() + s.staged[s.toGPUs]}, {"GPUs to host", s.toHost.Moved() + s.staged[s.toHost]}, {"GPU network", s.links.Moved()}},
	}
	for _, x := range []*timeline.Resource{s.loader, s.thread, s.cpu, s.staging, s.toGPUs, s.toHost, s.stream, s.links, s.accelerator, s.driver, s.prefetcher, s.evictor} {
		if x.Busy() > 0 {
			r.Busy = append(r.Busy, timeline.Share{Resource: x.Name(), Time: x.Busy()})
		}
	}
	return r
}

// begin names what is booked from now on.
func (s *schedule) begin(m int) {
	if s.keep != nil {
		s.line.Record(s.keep(m))
		s.line.Flow(Flow(m))
	}
}

// Flow is the flow of a mini-batch in a timeline.
func Flow(m int) string { return fmt.Sprintf("mini-batch %d", m) }

// end is the end of a mini-batch.
func (s *schedule) end(p timeline.Point) {
	s.params = p
	s.ends = append(s.ends, p.At)
}

// share is how many of n inputs GPU 0 has, and servers how many a server has.
func (s *schedule) share(n int) int  { return ceil(n, s.GPUs*s.Nodes) }
func (s *schedule) server(n int) int { return ceil(n, s.Nodes) }

func ceil(a, b int) int { return (a + b - 1) / b }

// book books d of a resource, for bytes that it moves.
func book(r *timeline.Resource, label string, d node.Time, bytes int, after ...timeline.Point) timeline.Point {
	return r.Book(timeline.Work{Label: label, Time: d, Bytes: int64(bytes)}, after...)
}

// load books the loading of n inputs for a system, unless it is hidden.
func (s *schedule) load(n int, accelerated bool, after timeline.Point) timeline.Point {
	if s.Profile.Loader == "hidden" || s.Profile.Loader == "baselines" && accelerated {
		return after
	}
	values := s.server(n) * (s.bags() + s.Model.DenseWidth() + 1)
	return book(s.loader, "load inputs", s.Machine.Loader(values), 4*values, after)
}

// bags is the number of pooled vectors of an input.
func (s *schedule) bags() int { return len(s.Model.Bags()) }

// rowBytes is the size of an embedding row.
func (s *schedule) rowBytes() int { return valueBytes * s.Model.Dim }

const valueBytes = 4

// marks divides the time into phases.
type marks struct {
	line   *timeline.Timeline
	last   timeline.Point
	phases []Phase
	bounds []map[string]node.Time
}

// mark books the time from the last mark up to p, if that is later.
func (m *marks) mark(label string, p timeline.Point) {
	if p.At <= m.last.At {
		return
	}
	i := m.phase(label)
	m.phases[i].Time += p.At - m.last.At
	m.bounds[i][m.line.Bound(m.last, p)] += p.At - m.last.At
	m.phases[i].BoundBy = longest(m.bounds[i])
	m.last = p
}

func (m *marks) phase(label string) int {
	for i := range m.phases {
		if m.phases[i].Label == label {
			return i
		}
	}
	m.phases = append(m.phases, Phase{Label: label})
	m.bounds = append(m.bounds, map[string]node.Time{})
	return len(m.phases) - 1
}

// longest is the name with the most time, the first of several in the order of
// names.
func longest(times map[string]node.Time) string {
	top := ""
	for name, t := range times {
		if top == "" || t > times[top] || t == times[top] && name < top {
			top = name
		}
	}
	return top
}
