package plan

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// shared are groups by the statements of their members; a statement has one.
type shared map[int]*group

// add puts d, as number n, into the group of its statements. It makes one group of
// all that have any, in the order in which they last grew.
func (s shared) add(d *driver, n int) {
	var old []*group
	for _, i := range d.at {
		if g := s[i]; g != nil && !slices.Contains(old, g) {
			old = append(old, g)
		}
	}
	slices.SortFunc(old, func(x, y *group) int { return cmp.Compare(x.number, y.number) })
	if len(old) == 0 {
		old = []*group{{}}
	}
	g := old[0]
	for _, x := range old[1:] {
		s.put(g, x.members...)
	}
	s.put(g, d)
	g.number = n
}

func (s shared) put(g *group, members ...*driver) {
	g.members = append(g.members, members...)
	for _, d := range members {
		for _, i := range d.at {
			s[i] = g
		}
	}
}

// groups are all groups in the order of their first statements.
func (s shared) groups() []*group {
	var out []*group
	seen := map[*group]bool{}
	for _, i := range slices.Sorted(maps.Keys(s)) {
		if g := s[i]; !seen[g] {
			seen[g] = true
			out = append(out, g)
		}
	}
	return out
}

// candidates are groups by the statements of their members; a statement may have
// several.
type candidates map[int][]*group

func (c candidates) put(g *group, d *driver) {
	for _, i := range d.at {
		if n := len(c[i]); n == 0 || !slices.Contains(c[i], g) {
			c[i] = append(c[i], g)
		}
	}
}

// first is the first group with a statement of d that fits, or nil.
func (c candidates) first(d *driver, fits func(*group) bool) *group {
	var all []*group
	for _, i := range d.at {
		all = append(all, c[i]...)
	}
	slices.SortFunc(all, func(x, y *group) int { return cmp.Compare(x.number, y.number) })
	for _, g := range slices.Compact(all) {
		if fits(g) {
			return g
		}
	}
	return nil
}

// readers are, for each signal, the statements that begin to drive a wire from
// it, in order.
type readers map[*ir.Signal][]int

func (p *planner) readers() readers {
	out := readers{}
	seen := map[int]bool{}
	for _, d := range p.order {
		at := d.at[0]
		if d.clocked || seen[at] {
			continue
		}
		seen[at] = true
		for _, x := range stmtReads(p.s.stmts[at : at+1]) {
			if s, ok := x.(*ir.Signal); ok {
				out[s] = append(out[s], at)
			}
		}
	}
	for _, at := range out {
		slices.Sort(at)
	}
	return out
}

// next is the first statement from at on that takes what g drives.
func (r readers) next(g *group, at int) int {
	next := math.MaxInt
	for _, l := range g.lhs() {
		list := r[l.Sig]
		if k, _ := slices.BinarySearch(list, at); k < len(list) {
			next = min(next, list[k])
		}
	}
	return next
}
