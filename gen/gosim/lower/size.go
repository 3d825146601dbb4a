package lower

import (
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// bySize are the parts of u that have nothing to do with each other, those of words of one
// size together: the fewer bits a word has, the more of them are computed at once.
func bySize(u *plan.Unit) []*plan.Unit {
	of := map[*plan.Node]*plan.Node{} // any node of the same part
	var root func(n *plan.Node) *plan.Node
	root = func(n *plan.Node) *plan.Node {
		if of[n] == n {
			return n
		}
		of[n] = root(of[n])
		return of[n]
	}
	for _, n := range u.Nodes {
		of[n] = n
		n.Uses(func(v *plan.Value, _ bool) {
			if of[v.Node] != nil {
				of[root(v.Node)] = n
			}
		})
	}
	parts := map[*plan.Node]*plan.Unit{}
	for _, n := range u.Nodes {
		r := root(n)
		if parts[r] == nil {
			part := *u
			part.Nodes = nil
			parts[r] = &part
		}
		parts[r].Nodes = append(parts[r].Nodes, n)
	}
	sizes := map[int]*plan.Unit{}
	for _, n := range u.Nodes {
		part, ok := parts[n]
		if !ok {
			continue
		}
		size := sizeOf(part)
		if sizes[size] == nil {
			sizes[size] = part
		} else {
			sizes[size].Nodes = append(sizes[size].Nodes, part.Nodes...)
		}
	}
	var out []*plan.Unit
	for _, size := range slices.Sorted(maps.Keys(sizes)) {
		out = append(out, sizes[size])
	}
	return out
}

// SliceBits returns the size of words in which n, a slice, can be taken from memory.
func SliceBits(n *plan.Node) int {
	a := n.Args[0]
	first := func(l int) int { return (a.Ref(l).Lane*a.V.Stride() + n.Lo.At(l)) % 8 }
	size, differ := 0, false
	for l := range n.Lanes {
		size = max(size, first(l)+n.Width)
		differ = differ || first(l) != first(0)
	}
	if differ { // shifts by lane
		return max(16, plan.ElemBits(size))
	}
	return plan.ElemBits(size)
}
