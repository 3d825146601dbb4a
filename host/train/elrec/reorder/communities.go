package reorder

import (
	"cmp"
	"slices"
)

// graph is a graph whose vertices are merged into communities.
type graph struct {
	edges  []map[int]int64 // weighted edges of a vertex; nil after it is merged
	degree []int64         // sum of the edge weights of a community, at its root
	total  int64           // sum of all degrees
	into   []int           // the vertex that a vertex was merged into; a root's own number
	merged [][]int         // vertices merged into a vertex, in order
}

// communities orders n vertices so that the vertices of a community are consecutive. Each group of
// vertices is connected by edges.
func communities(groups [][]int, n int) []int {
	g := newGraph(groups, n)
	order := make([]int, n)
	for v := range order {
		order[v] = v
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(g.degree[a], g.degree[b]) })
	for _, v := range order {
		g.merge(v)
	}
	list := make([]int, 0, n)
	for v, root := range g.into {
		if v == root {
			list = g.visit(list, v)
		}
	}
	return list
}

func newGraph(groups [][]int, n int) *graph {
	g := &graph{edges: make([]map[int]int64, n), degree: make([]int64, n), into: make([]int, n), merged: make([][]int, n)}
	for v := range n {
		g.edges[v], g.into[v] = map[int]int64{}, v
	}
	for _, group := range groups {
		for _, a := range group {
			for _, b := range group {
				if a != b {
					g.edges[a][b]++
				}
			}
			g.degree[a] += int64(len(group) - 1)
			g.total += int64(len(group) - 1)
		}
	}
	return g
}

// root returns the root of the community of a vertex.
func (g *graph) root(v int) int {
	for g.into[v] != v {
		g.into[v] = g.into[g.into[v]]
		v = g.into[v]
	}
	return v
}

// merge merges the community of a root into the neighbour with the largest positive gain of
// modularity; in a tie, the first.
func (g *graph) merge(v int) {
	edges := map[int]int64{}
	for to, weight := range g.edges[v] {
		if r := g.root(to); r != v {
			edges[r] += weight
		}
	}
	best, most := -1, int64(0)
	for to, weight := range edges {
		// The gain of Q is twice this over the square of the total.
		gain := weight*g.total - g.degree[v]*g.degree[to]
		if gain > most || gain == most && best > to {
			best, most = to, gain
		}
	}
	if best < 0 {
		g.edges[v] = edges
		return
	}
	for to, weight := range edges {
		if to != best {
			g.edges[best][to] += weight
		}
	}
	g.edges[v] = nil
	g.degree[best] += g.degree[v]
	g.into[v] = best
	g.merged[best] = append(g.merged[best], v)
}

// visit appends a vertex and the vertices merged into it to a list.
func (g *graph) visit(list []int, v int) []int {
	list = append(list, v)
	for _, m := range g.merged[v] {
		list = g.visit(list, m)
	}
	return list
}
