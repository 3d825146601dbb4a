package draw

import (
	"cmp"
	"slices"
)

// place is the position of a node: a box from top to bottom.
type place struct {
	index       int
	top, bottom float64
}

// route is the path of an edge next to the column of boxes.
type route struct {
	from, to float64 // heights of its ends
	lane     int     // 0 is next to the boxes
}

// sort orders the boxes along the streams. A box follows all boxes from which it takes data, unless
// the connections form a cycle. Among the boxes that may be next, it prefers those that are
// connected to the last boxes.
func (g *graph) sort() []*node {
	before := g.before()
	var list []*node
	placed := map[*node]bool{}
	boxes := slices.DeleteFunc(slices.Clone(g.nodes), (*node).isPort)
	for range boxes {
		var next *node
		latest := -1
		for _, n := range boxes {
			last, ready := 0, !placed[n]
			for m := range before[n] {
				ready = ready && placed[m]
				last = max(last, m.index+1)
			}
			if ready && last > latest {
				next, latest = n, last
			}
		}
		next.index = len(list)
		placed[next] = true
		list = append(list, next)
	}
	return list
}

// before returns the boxes that precede each box. It considers streams first, and omits edges that
// close a cycle.
func (g *graph) before() map[*node]map[*node]bool {
	before := map[*node]map[*node]bool{}
	for _, streams := range []bool{true, false} {
		for _, e := range g.edges {
			if e.stream != streams || e.from.isPort() || e.to.isPort() || reaches(before, e.from, e.to) {
				continue
			}
			if before[e.to] == nil {
				before[e.to] = map[*node]bool{}
			}
			before[e.to][e.from] = true
		}
	}
	return before
}

// reaches reports whether n is m, or follows it.
func reaches(before map[*node]map[*node]bool, n, m *node) bool {
	seen := map[*node]bool{}
	var visit func(n *node) bool
	visit = func(n *node) bool {
		if n == m || seen[n] {
			return n == m
		}
		seen[n] = true
		for p := range before[n] {
			if visit(p) {
				return true
			}
		}
		return false
	}
	return visit(n)
}

// lanes assigns edges to lanes next to the boxes, short edges to the inner lanes. Edges of a lane do
// not overlap. It returns the number of lanes.
func lanes(edges []*edge) (count int) {
	length := func(e *edge) float64 { return max(e.route.from, e.route.to) - min(e.route.from, e.route.to) }
	sorted := slices.SortedStableFunc(slices.Values(edges), func(a, b *edge) int { return cmp.Compare(length(a), length(b)) })
	for i, e := range sorted {
		e.route.lane = 0
		for slices.ContainsFunc(sorted[:i], e.collides) {
			e.route.lane++
		}
		count = max(count, e.route.lane+1)
	}
	return count
}

// collides reports whether two edges of the same lane overlap.
func (e *edge) collides(f *edge) bool {
	a, b := e.route, f.route
	return a.lane == b.lane && min(a.from, a.to) < max(b.from, b.to)+apart && min(b.from, b.to) < max(a.from, a.to)+apart
}
