package timeline

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
)

// most is the maximum number of resources of a timeline.
const most = 24

// Timeline is a set of resources with the work booked on them.
type Timeline struct {
	resources []*Resource
	events    []Event
	recording bool
	chainless bool
	flow      string
}

// New returns a timeline without resources.
func New() *Timeline { return &Timeline{} }

// Point is a time with the chain of work that led to it. The zero value is the start.
type Point struct {
	At     des.Time
	chain  *chain // nil without work
	events []int  // indices of the recorded events that it waits for, ascending
}

// chain contains the time per resource. It is immutable, because points share it.
type chain [most]des.Time

// of returns the time of a resource.
func (c *chain) of(resource int) des.Time {
	if c == nil {
		return 0
	}
	return c[resource]
}

// Resource serves one piece of work at a time per server, in the order of booking.
type Resource struct {
	l       *Timeline
	id      int
	name    string
	servers []Point // time at which each server is free
	busy    des.Time
	moved   int64 // bytes
}

// Work is a piece of work for a resource.
type Work struct {
	Label   string
	Time    des.Time
	Bytes   int64 // bytes moved
	Kernels int   // kernels run
	Data    []Data
	// Collective is the kind of a collective operation, such as "all-reduce", or "".
	Collective string
}

// Data are values that work moves over a link, or reads or writes in a memory. The bytes of the work
// may also hold other things, such as ids.
type Data struct {
	Resource string
	Bytes    int64
}

// Resource adds an idle resource. It panics if there are too many resources or if servers is less
// than 1.
func (l *Timeline) Resource(name string, servers int) *Resource {
	if servers < 1 || len(l.resources) == most {
		panic(fmt.Sprintf("timeline: resource %q with %d servers after %d others", name, servers, len(l.resources)))
	}
	r := &Resource{l: l, id: len(l.resources), name: name, servers: make([]Point, servers)}
	l.resources = append(l.resources, r)
	return r
}

// Resources returns all resources in the order in which they were added.
func (l *Timeline) Resources() []*Resource { return l.resources }

// Chains enables or disables the chains of points; they are enabled by default. Bookings are
// several times faster without chains. Chains must be called before the first booking.
func (l *Timeline) Chains(on bool) { l.chainless = !on }

// Name returns the resource's name.
func (r *Resource) Name() string { return r.name }

// Busy returns the time booked so far, summed over servers.
func (r *Resource) Busy() des.Time { return r.busy }

// Moved returns the number of bytes of the work booked so far.
func (r *Resource) Moved() int64 { return r.moved }

// Free returns the earliest point at which the resource can start work.
func (r *Resource) Free() Point { return r.servers[r.first()] }

// Book books w on the server that is free first, after all of the points, and returns its end. Work
// without time, bytes and kernels is not recorded.
func (r *Resource) Book(w Work, after ...Point) Point {
	if w.Time < 0 {
		panic(fmt.Sprintf("timeline: %s got the negative time %v for %s, expected 0 or more", r.name, w.Time, w.Label))
	}
	s, asked := &r.servers[r.first()], Latest(after...)
	p := Latest(asked, *s)
	start := p.At
	p = p.plus(r, w.Time)
	r.busy += w.Time
	r.moved += w.Bytes
	p.events = r.l.record(r, w, start, p, asked)
	*s = p
	return p
}

func (r *Resource) first() int {
	first := 0
	for i := range r.servers {
		if r.servers[i].At < r.servers[first].At {
			first = i
		}
	}
	return first
}

// Latest returns the latest of the points, and the first of several equal points. Work that waits
// for it waits for all of the points.
func Latest(points ...Point) Point {
	var last Point
	for i := range points {
		if points[i].At > last.At {
			last = points[i]
		}
	}
	last.events = nil
	for i := range points {
		last.events = union(last.events, points[i].events)
	}
	return last
}

// Share is the part of a chain on one resource.
type Share struct {
	Resource string   `json:"resource"`
	Time     des.Time `json:"ps"`
}

// Chain returns the time of the chain from since to p, by resource, without resources that are not
// in the chain. If since is the start, the times add up to the time of p.
func (l *Timeline) Chain(since, p Point) []Share {
	var list []Share
	for i, r := range l.resources {
		if d := p.chain.of(i) - since.chain.of(i); d > 0 {
			list = append(list, Share{r.name, d})
		}
	}
	return list
}

// Bound returns the resource with the largest share of the chain from since to p. It returns "" if
// the chain is empty.
func (l *Timeline) Bound(since, p Point) string {
	var top Share
	for i, r := range l.resources {
		if d := p.chain.of(i) - since.chain.of(i); d > top.Time {
			top = Share{r.name, d}
		}
	}
	return top.Resource
}
