package timeline

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
)

// most is how many resources a timeline can have.
const most = 24

// Timeline is a set of resources with the work booked on them.
type Timeline struct {
	resources []*Resource
	events    []Event
	recording bool
	chainless bool
	flow      string
}

// New is a timeline without resources.
func New() *Timeline { return &Timeline{} }

// Point is a moment, with the chain of work that led to it. The zero value is
// the start.
type Point struct {
	At    des.Time
	chain *chain // nil without work
	event int    // recorded last on the way here, counted from 1; 0 if none was
}

// chain is time by resource. It never changes: points share it.
type chain [most]des.Time

// of is the time of a resource.
func (c *chain) of(resource int) des.Time {
	if c == nil {
		return 0
	}
	return c[resource]
}

// Resource serves one piece of work at a time per server, in the order of
// booking.
type Resource struct {
	l       *Timeline
	id      int
	name    string
	servers []Point // when each is free
	busy    des.Time
	moved   int64 // bytes
}

// Work is what a resource is booked for.
type Work struct {
	Label   string
	Time    des.Time
	Bytes   int64 // moved
	Kernels int   // run
}

// Resource adds an idle resource. It panics if there are too many, or none of
// its servers.
func (l *Timeline) Resource(name string, servers int) *Resource {
	if servers < 1 || len(l.resources) == most {
		panic(fmt.Sprintf("timeline: resource %q with %d servers after %d others", name, servers, len(l.resources)))
	}
	r := &Resource{l: l, id: len(l.resources), name: name, servers: make([]Point, servers)}
	l.resources = append(l.resources, r)
	return r
}

// Resources are all, in the order in which they were added.
func (l *Timeline) Resources() []*Resource { return l.resources }

// Chains makes points know the chains that led to them, as at first, or no more:
// bookings are several times as fast without. It is to be called before any.
func (l *Timeline) Chains(on bool) { l.chainless = !on }

// Name is the resource's name.
func (r *Resource) Name() string { return r.name }

// Busy is the time booked so far, summed over servers.
func (r *Resource) Busy() des.Time { return r.busy }

// Moved is the number of bytes of the work booked so far.
func (r *Resource) Moved() int64 { return r.moved }

// Free is when the resource could begin.
func (r *Resource) Free() Point { return r.servers[r.first()] }

// Book takes the server that is free first for w, after all of the points, and
// returns when it has ended. Work that takes no time and does nothing is not
// recorded.
func (r *Resource) Book(w Work, after ...Point) Point {
	if w.Time < 0 {
		panic(fmt.Sprintf("timeline: %s is asked for the negative time %v of %s", r.name, w.Time, w.Label))
	}
	s, asked := &r.servers[r.first()], Latest(after...)
	p := Latest(asked, *s)
	start := p.At
	p = p.plus(r, w.Time)
	r.busy += w.Time
	r.moved += w.Bytes
	p.event = r.l.record(r, w, start, p, asked)
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

// Latest is the latest of the points, the first of several.
func Latest(points ...Point) Point {
	var last Point
	for i := range points {
		if points[i].At > last.At {
			last = points[i]
		}
	}
	return last
}

// Share is the part of a chain that is work of one resource.
type Share struct {
	Resource string   `json:"resource"`
	Time     des.Time `json:"ps"`
}

// Chain lists what led to p since an earlier point, by resource, without those
// that had no part in it. From the start the times add up to p's.
func (l *Timeline) Chain(since, p Point) []Share {
	var list []Share
	for i, r := range l.resources {
		if d := p.chain.of(i) - since.chain.of(i); d > 0 {
			list = append(list, Share{r.name, d})
		}
	}
	return list
}

// Bound is the resource with the largest part in what led to p since an earlier
// point; empty if nothing did.
func (l *Timeline) Bound(since, p Point) string {
	var top Share
	for i, r := range l.resources {
		if d := p.chain.of(i) - since.chain.of(i); d > top.Time {
			top = Share{r.name, d}
		}
	}
	return top.Resource
}
