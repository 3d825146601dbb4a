package plan

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// shared maps statements to the group of their targets. A statement has at most one.
type shared map[int]*group

// add puts d, as number n, into the group of its statements. If they are of several groups,
// these become one, in the order in which they last grew.
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

// put appends members to g and records their statements.
func (s shared) put(g *group, members ...*driver) {
	g.members = append(g.members, members...)
	for _, d := range members {
		for _, i := range d.at {
			s[i] = g
		}
	}
}

// groups returns all groups in the order of their first statements.
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

// candidates maps statements to the groups of their targets. A statement may have several.
type candidates map[int][]*group

// put records g for the statements of d.
func (c candidates) put(g *group, d *driver) {
	for _, i := range d.at {
		if n := len(c[i]); n == 0 || !slices.Contains(c[i], g) {
			c[i] = append(c[i], g)
		}
	}
}

// first returns the first group with a statement of d that fits, or nil.
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

// readers maps each signal to the statements, in order, that begin to drive a wire from it.
type readers map[*ir.Signal][]int

// readers returns the readers of the scope's statements.
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

// next returns the first statement from at on that takes what g drives.
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
