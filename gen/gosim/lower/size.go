package lower

import (
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// bySize returns the independent parts of u. Parts with words of the same size stay together.
// Shorter words let a vector process more lanes.
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

// SliceBits returns the size of words in which the slice n can be loaded from memory.
func SliceBits(n *plan.Node) int {
	a := n.Args[0]
	first := func(l int) int { return (a.Ref(l).Lane*a.V.Stride() + n.Lo.At(l)) % 8 }
	size, differ := 0, false
	for l := range n.Lanes {
		size = max(size, first(l)+n.Width)
		differ = differ || first(l) != first(0)
	}
	if differ { // the shift differs by lane
		return max(16, plan.ElemBits(size))
	}
	return plan.ElemBits(size)
}

// sizeOf returns the size of words that suffices for all of u.
func sizeOf(u *plan.Unit) int {
	if copied(u) {
		return 32
	}
	size := 8
	for size < 64 && u.Lanes*size < 128 { // the shortest vector
		size *= 2
	}
	for _, n := range u.Nodes {
		for i, a := range n.Args {
			if i == 1 && a.K != nil && (n.Code == ir.Shl || n.Code == ir.ShrU || n.Code == ir.ShrS) {
				continue // a constant shift amount fits in any size
			}
			if n.Code == ir.Slice && a.V != nil && !slices.Contains(u.Nodes, a.V.Node) {
				size = max(size, SliceBits(n))
				continue
			}
			size = max(size, plan.ElemBits(a.Width))
			if a.Same(u.Lanes) {
				size = max(size, a.V.LaneBits())
			}
		}
		if n.List != nil {
			if n.List.InRow(n) {
				size = max(size, 16, plan.ElemBits(n.Width+7))
			}
			size = max(size, plan.ElemBits(n.List.V.Width), n.List.V.LaneBits())
		}
		for _, r := range n.Moves {
			if r.V != nil {
				size = max(size, r.V.LaneBits())
			}
		}
		switch n.Code {
		case ir.Shl, ir.ShrU, ir.ShrS, ir.Mul, ir.SExt, ir.LtS:
			size = max(size, 16)
		case ir.MemRead:
			size = max(size, 32)
		}
		size = max(size, plan.ElemBits(n.Width), n.Out.LaneBits())
	}
	return size
}
