package params

import (
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// fit says how all sizes of a tree follow from the parameter.
type fit struct {
	tree   *syntax.Module
	sizes  *sizes
	counts []line
	values []literal
}

// line is the size a*parameter + b.
type line struct{ a, b int }

// literal is a number of any width: a value, or all ones.
type literal struct {
	val  []uint64
	ones bool
}

// newFit returns how the sizes of all trees of basis follow from the parameter, nil if they do
// not.
func newFit(basis []Variant) *fit {
	var all []*sizes
	for _, v := range basis {
		all = append(all, sizesOf(v.Tree))
	}
	f := &fit{tree: basis[0].Tree, sizes: all[0]}
	for _, s := range all {
		if !s.resembles(f.sizes) {
			return nil
		}
		for i, o := range s.objects {
			f.sizes.objects[i].Opaque = f.sizes.objects[i].Opaque || o.Opaque
		}
	}
	at := func(i int) int { return basis[i].Module.Generic.Value }
	for k := range f.sizes.counts {
		rise, run := *all[1].counts[k]-*all[0].counts[k], at(1)-at(0)
		if rise%run != 0 {
			return nil
		}
		a := rise / run
		f.counts = append(f.counts, line{a, *all[0].counts[k] - a*at(0)})
	}
	for k, n := range f.sizes.numbers {
		ones := !slices.ContainsFunc(all, func(s *sizes) bool { return !isAllOnes(s.numbers[k]) })
		f.values = append(f.values, literal{n.Val, ones})
	}
	f.set(syntax.PerParam)
	if slices.ContainsFunc(f.sizes.places, isProduct) {
		return nil
	}
	for _, v := range basis {
		if !f.holds(v) {
			return nil
		}
	}
	return f
}

// holds reports whether f gives the tree of v for its value.
func (f *fit) holds(v Variant) bool {
	s := sizesOf(v.Tree)
	if !s.resembles(f.sizes) || !f.set(v.Module.Generic.Value) {
		return false
	}
	for i, o := range s.objects {
		o.Opaque = o.Opaque || f.sizes.objects[i].Opaque
	}
	return v.Tree == f.tree || f.tree.Text() == v.Tree.Text()
}

// set sets the parameter of the tree to n. It reports whether every number whose width follows from
// it has room for the leading 0 that Verilog writes.
func (f *fit) set(n int) bool {
	for k, l := range f.counts {
		*f.sizes.counts[k] = l.a*n + l.b
	}
	room := true
	for k, c := range f.values {
		x := f.sizes.numbers[k]
		x.Val, x.Ones = c.val, c.ones
		if n == syntax.PerParam || x.Width <= 0 {
			continue
		}
		x.Val = make([]uint64, max(ir.Words(x.Width), len(c.val)))
		if copy(x.Val, c.val); c.ones {
			x.Val = ones(x.Width)
			continue
		}
		moves := f.counts[f.sizes.widths[k]].a != 0
		room = room && (x.IsZero() || x.Least() < x.Width || !moves && x.Least() == x.Width)
		x.Val = x.Val[:ir.Words(x.Width)]
	}
	return room
}

// isAllOnes reports whether all bits of n are 1.
func isAllOnes(n *syntax.Number) bool { return n.Width > 0 && slices.Equal(n.Val, ones(n.Width)) }

// ones returns the words of the number of width bits that are all 1.
func ones(width int) []uint64 {
	out := make([]uint64, ir.Words(width))
	for i := range out {
		out[i] = math.MaxUint64 >> max(0, 64*(i+1)-width)
	}
	return out
}

// isProduct reports whether the position of x is a product of two sizes that follow from the
// parameter.
func isProduct(x *syntax.Part) bool {
	follow := !syntax.IsFixed(x.Elem.Const)
	for _, t := range x.Elem.Terms {
		follow = follow || !syntax.IsFixed(t.Mul)
	}
	return follow && !syntax.IsFixed(x.Size)
}
