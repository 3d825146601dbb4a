package gosim

import (
	"maps"
	"slices"
)

// bySize are the parts of u that have nothing to do with each other, those of words of one
// size together: the fewer bits a word has, the more of them are computed at once.
func bySize(u *unit) []*unit {
	of := map[*node]*node{} // any node of the same part
	var root func(n *node) *node
	root = func(n *node) *node {
		if of[n] == n {
			return n
		}
		of[n] = root(of[n])
		return of[n]
	}
	for _, n := range u.nodes {
		of[n] = n
		n.uses(func(v *value, _ bool) {
			if of[v.node] != nil {
				of[root(v.node)] = n
			}
		})
	}
	parts := map[*node]*unit{}
	for _, n := range u.nodes {
		r := root(n)
		if parts[r] == nil {
			part := *u
			part.nodes = nil
			parts[r] = &part
		}
		parts[r].nodes = append(parts[r].nodes, n)
	}
	sizes := map[int]*unit{}
	for _, n := range u.nodes {
		part, ok := parts[n]
		if !ok {
			continue
		}
		size := sizeOf(part)
		if sizes[size] == nil {
			sizes[size] = part
		} else {
			sizes[size].nodes = append(sizes[size].nodes, part.nodes...)
		}
	}
	var out []*unit
	for _, size := range slices.Sorted(maps.Keys(sizes)) {
		out = append(out, sizes[size])
	}
	return out
}

// sliceBits is the size of words in which n, a slice, can be taken from memory.
func sliceBits(n *node) int {
	a := n.args[0]
	first := func(l int) int { return (a.ref(l).lane*strideOf(a.v) + n.lo.at(l)) % 8 }
	size, differ := 0, false
	for l := range n.lanes {
		size = max(size, first(l)+n.width)
		differ = differ || first(l) != first(0)
	}
	if differ { // shifts by lane
		return max(16, elemBits(size))
	}
	return elemBits(size)
}
