package plan

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// cyclic returns the groups of several operations that depend on themselves.
func (p *Plan) cyclic(groups [][]int) map[int]bool {
	of := make([]int, len(p.D.Width)) // group that computes the net, plus one
	for g, ops := range groups {
		for _, i := range ops {
			op := &p.D.Ops[i]
			for k := range op.NOut {
				of[op.Out+netlist.Net(k)] = g + 1
			}
		}
	}
	next := make([][]int, len(groups))
	for g, ops := range groups {
		seen := map[int]bool{}
		for _, i := range ops {
			for _, a := range p.D.Ops[i].Args {
				if h := of[a]; h > 0 && !seen[h-1] {
					seen[h-1] = true
					next[g] = append(next[g], h-1)
				}
			}
		}
	}
	out := map[int]bool{}
	for _, c := range components(next) {
		if len(c) > 1 || slices.Contains(next[c[0]], c[0]) {
			for _, g := range c {
				if len(groups[g]) > 1 {
					out[g] = true
				}
			}
		}
	}
	return out
}

// components returns the strongly connected components of a graph (Tarjan's algorithm).
func components(next [][]int) [][]int {
	n := len(next)
	index, low, on := make([]int, n), make([]int, n), make([]bool, n)
	var stack []int
	var out [][]int
	count := 0
	var visit func(v int)
	visit = func(v int) {
		count++
		index[v], low[v] = count, count
		stack, on[v] = append(stack, v), true
		for _, w := range next[v] {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if on[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] == index[v] {
			i := slices.Index(stack, v)
			c := slices.Clone(stack[i:])
			for _, w := range c {
				on[w] = false
			}
			stack = stack[:i]
			out = append(out, c)
		}
	}
	for v := range n {
		if index[v] == 0 {
			visit(v)
		}
	}
	return out
}
