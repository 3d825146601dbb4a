package drivers

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// target is a driven object: a whole signal (elem is ""), or one element, identified by its index.
// lo is the lowest bit of the piece.
type target struct {
	sig  *ir.Signal
	elem string
	lo   int
}

// current is the value of a target at a point of the program.
type current struct {
	value   *ir.Expr
	partial bool   // some path so far contains no assignment
	since   ir.Pos // start of that path
	lhs     ir.LValue
	pos     ir.Pos // of the last assignment
}

// env contains the values of the targets assigned in a block, in order of first assignment.
// Earlier assignments are in up.
type env struct {
	up    *env
	order []target
	vals  map[target]current
}

func newEnv(up *env) *env { return &env{up: up, vals: map[target]current{}} }

func (e *env) set(t target, c current) {
	if _, ok := e.vals[t]; !ok {
		e.order = append(e.order, t)
	}
	e.vals[t] = c
}

func (e *env) lookup(t target) (current, bool) {
	for ; e != nil; e = e.up {
		if c, ok := e.vals[t]; ok {
			return c, true
		}
	}
	return current{}, false
}

// join returns a where cond holds and b elsewhere.
func join(cond *ir.Expr, a, b current, pos ir.Pos) current {
	c := current{lhs: a.lhs, pos: a.pos, partial: a.partial || b.partial, since: pos}
	switch {
	case a.value == nil:
		c.value, c.pos = b.value, b.pos
	case b.value == nil:
		c.value = a.value
	default:
		c.value = mux(cond, a.value, b.value, pos)
	}
	switch { // the innermost position
	case a.partial && a.value != nil:
		c.since = a.since
	case b.partial && b.value != nil:
		c.since = b.since
	}
	return c
}

func always(path *ir.Expr, pos ir.Pos) *ir.Expr {
	if path != nil {
		return path
	}
	return &ir.Expr{Op: ir.Const, Type: ir.Type{Width: 1}, Val: []uint64{1}, Pos: pos}
}

func not(c *ir.Expr, pos ir.Pos) *ir.Expr {
	if c.Op == ir.Not {
		return c.Args[0]
	}
	return &ir.Expr{Op: ir.Not, Type: c.Type, Args: []*ir.Expr{c}, Pos: pos}
}

func and(path, c *ir.Expr, pos ir.Pos) *ir.Expr {
	if path == nil {
		return c
	}
	return &ir.Expr{Op: ir.And, Type: c.Type, Args: []*ir.Expr{path, c}, Pos: pos}
}

func or(a, b *ir.Expr, pos ir.Pos) *ir.Expr {
	if a == nil {
		return b
	}
	return &ir.Expr{Op: ir.Or, Type: b.Type, Args: []*ir.Expr{a, b}, Pos: pos}
}

func mux(c, a, b *ir.Expr, pos ir.Pos) *ir.Expr {
	if same(a, b) {
		return a
	}
	return &ir.Expr{Op: ir.Mux, Type: a.Type, Args: []*ir.Expr{c, a, b}, Pos: pos}
}

// same reports whether a and b are the same node or equal leaves. Equal designs may contain one or
// several nodes for a leaf.
func same(a, b *ir.Expr) bool {
	if a == b {
		return true
	}
	if a.Op != b.Op || a.Type != b.Type {
		return false
	}
	switch a.Op {
	case ir.Const:
		return slices.Equal(a.Val, b.Val)
	case ir.Ref:
		return a.Sig == b.Sig
	case ir.LoopConst:
		return a.Index.String() == b.Index.String()
	case ir.ElemAt:
		return a.Args[0].Op == ir.Ref && same(a.Args[0], b.Args[0]) && a.Index.String() == b.Index.String()
	}
	return false
}
