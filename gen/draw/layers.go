package draw

import (
	"cmp"
	"slices"
)

// place is the position of a node.
type place struct {
	layer      int
	x, y, w, h float64
}

// route is the path of an edge.
type route struct {
	back  bool       // the edge leads to an earlier layer
	via   []*node    // places between its nodes, one in each layer that the edge crosses
	sides [2]float64 // positions at its nodes, the node in the earlier layer first
}

// layers places nodes and routes edges. Each node is in a layer after the nodes from which it takes
// streams. Then it orders the nodes of each layer to reduce crossings, and computes coordinates.
func (g *graph) layers() [][]*node {
	g.reverse()
	g.assign()
	columns := g.fill()
	g.order(columns)
	return columns
}

// reverse marks the edges that close a cycle. It considers streams first, so that they lead forward
// where possible.
func (g *graph) reverse() {
	slices.SortStableFunc(g.edges, func(a, b *edge) int { return cmp.Compare(rank(a), rank(b)) })
	after := map[*node][]*node{}
	for _, e := range g.edges {
		if reaches(after, e.to, e.from) {
			e.back = true
			continue
		}
		after[e.from] = append(after[e.from], e.to)
	}
}

// rank orders edges by the importance of leading forward.
func rank(e *edge) int {
	switch {
	case e.from.module == "" || e.to.module == "":
		return 0
	case e.stream:
		return 1
	}
	return 2
}

// reaches reports whether there is a path between two nodes.
func reaches(after map[*node][]*node, from, to *node) bool {
	seen := map[*node]bool{}
	var visit func(n *node) bool
	visit = func(n *node) bool {
		if n == to {
			return true
		}
		if seen[n] {
			return false
		}
		seen[n] = true
		return slices.ContainsFunc(after[n], visit)
	}
	return visit(from)
}

// assign sets the layer of each node: the first for inputs, the last for outputs.
func (g *graph) assign() {
	for _, n := range g.nodes {
		if n.module != "" {
			n.layer = 1
		}
	}
	for range g.nodes { // the longest path has no more steps
		for _, e := range g.edges {
			from, to := e.ends()
			to.layer = max(to.layer, from.layer+1)
		}
	}
	last := 0
	for _, n := range g.nodes {
		last = max(last, n.layer)
	}
	for _, n := range g.nodes {
		if n.module == "" {
			n.layer = 0
			if n.output {
				n.layer = max(last, 2)
			}
		}
	}
}

// ends returns the nodes of e, the node in the earlier layer first.
func (e *edge) ends() (from, to *node) {
	if e.back {
		return e.to, e.from
	}
	return e.from, e.to
}

// fill puts nodes into columns, and adds a place for each edge to the layers that it crosses.
func (g *graph) fill() [][]*node {
	var columns [][]*node
	put := func(n *node) {
		for len(columns) <= n.layer {
			columns = append(columns, nil)
		}
		columns[n.layer] = append(columns[n.layer], n)
	}
	for _, n := range g.nodes {
		put(n)
	}
	for _, e := range g.edges {
		from, to := e.ends()
		for l := from.layer + 1; l < to.layer; l++ {
			n := &node{place: place{layer: l}}
			e.via = append(e.via, n)
			put(n)
		}
	}
	return columns
}

// sweeps is the number of times that all columns are sorted in each direction.
const sweeps = 12

// order sorts each column by the mean position of the neighbours in the previous column, and then
// in the next column.
func (g *graph) order(columns [][]*node) {
	before, after := map[*node][]*node{}, map[*node][]*node{}
	for _, e := range g.edges {
		chain := e.chain()
		for i := range len(chain) - 1 {
			after[chain[i]] = append(after[chain[i]], chain[i+1])
			before[chain[i+1]] = append(before[chain[i+1]], chain[i])
		}
	}
	position := map[*node]float64{}
	number := func(column []*node) {
		for i, n := range column {
			position[n] = float64(i) / float64(len(column))
		}
	}
	for _, c := range columns {
		number(c)
	}
	tidy := func(column []*node, neighbours map[*node][]*node) {
		mean := map[*node]float64{}
		for _, n := range column {
			mean[n] = position[n]
			if len(neighbours[n]) > 0 {
				mean[n] = 0
				for _, m := range neighbours[n] {
					mean[n] += position[m] / float64(len(neighbours[n]))
				}
			}
		}
		slices.SortStableFunc(column, func(a, b *node) int { return cmp.Compare(mean[a], mean[b]) })
		number(column)
	}
	for range sweeps {
		for _, c := range columns[1:] {
			tidy(c, before)
		}
		for _, c := range slices.Backward(columns[:len(columns)-1]) {
			tidy(c, after)
		}
	}
}

// chain returns the nodes and places of e, sorted by layer.
func (e *edge) chain() []*node {
	from, to := e.ends()
	return slices.Concat([]*node{from}, e.via, []*node{to})
}
