package timeline

import "github.com/hotline-rtl/hotline/host/des"

// Pass books count pieces of work. Each piece takes first on r, followed by an equal part of the
// time of w on second. An example is operators that a host thread dispatches and a GPU runs. The
// times are the same as for individual bookings of the pieces. Pass returns the end of the last
// piece.
//
// Both resources must have one server. The pieces wait for the given points before they start on r.
func (r *Resource) Pass(count int, first Work, second *Resource, w Work, after ...Point) Point {
	if count == 0 {
		return Latest(after...)
	}
	asked, free := Latest(after...), second.servers[0]
	begun := Latest(asked, r.servers[0])
	n := des.Time(count)
	last := (w.Time + n - 1) / n // time of a piece on second

	dispatched := begun.plus(r, n*first.Time)
	start := max(begun.At+first.Time, free.At)
	var end Point
	switch {
	case dispatched.At+last >= start+w.Time: // the last piece waits for r
		end = dispatched.plus(second, last)
	case start == begun.At+first.Time: // second was idle, and pieces queue up at second
		end = begun.plus(r, first.Time).plus(second, w.Time)
	default: // second was busy, and pieces queue up at second
		end = free.plus(second, w.Time)
	}
	r.busy += n * first.Time
	second.busy += w.Time
	r.moved += first.Bytes
	second.moved += w.Bytes
	first.Time *= n
	dispatched.events = r.l.record(r, first, begun.At, dispatched, asked)
	end.events = r.l.record(second, w, start, end, dispatched)
	r.servers[0], second.servers[0] = dispatched, end
	return end
}

// plus returns p after d of work on a resource.
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
