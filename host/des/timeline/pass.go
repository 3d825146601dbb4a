package timeline

import "github.com/hotline-rtl/hotline/host/des"

// Pass books count pieces that each take first of r, and then an equal part of
// second's time, one after the other: operators that a host thread dispatches and
// a GPU runs. It gives the same times as booking each piece by itself, from
// second's work in whole pieces, and returns when the last has ended.
//
// Both resources have one server. The pieces wait for the points on r.
func (r *Resource) Pass(count int, first Work, second *Resource, w Work, after ...Point) Point {
	if count == 0 {
		return Latest(after...)
	}
	asked, free := Latest(after...), second.servers[0]
	begun := Latest(asked, r.servers[0])
	n := des.Time(count)
	last := (w.Time + n - 1) / n // of the second's pieces

	dispatched := begun.plus(r, n*first.Time)
	start := max(begun.At+first.Time, free.At)
	var end Point
	switch {
	case dispatched.At+last >= start+w.Time: // the last piece waits for the first resource
		end = dispatched.plus(second, last)
	case start == begun.At+first.Time: // all wait for the second, which was idle
		end = begun.plus(r, first.Time).plus(second, w.Time)
	default: // or not
		end = free.plus(second, w.Time)
	}
	r.busy += n * first.Time
	second.busy += w.Time
	r.moved += first.Bytes
	second.moved += w.Bytes
	first.Time *= n
	dispatched.event = r.l.record(r, first, begun.At, dispatched, asked)
	end.event = r.l.record(second, w, start, end, dispatched)
	r.servers[0], second.servers[0] = dispatched, end
	return end
}

// plus is p after d of a resource.
func (p Point) plus(r *Resource, d des.Time) Point {
	p.At += d
	if d == 0 || r.l.chainless {
		return p
	}
	c := &chain{}
	if p.chain != nil {
		*c = *p.chain
	}
	c[r.id] += d
	p.chain = c
	return p
}
