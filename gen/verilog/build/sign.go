package build

import (
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Verilator 5.006 computes with signed numbers of C++ where all operands are comparisons,
// or words of narrow memories. One of 32 bits can be negative: then a shift to the right
// copies its sign, and it is less than 0. A signal that Verilator has to keep is unsigned;
// it puts the value of other signals in their place, across instances, too.

// unsigned translates e with otherwise, or to an opaque signal if e may be negative.
func (b *builder) unsigned(e *ir.Expr, otherwise func(*ir.Expr) syntax.Expr) syntax.Expr {
	if !b.mayBeNegative(e) {
		return otherwise(e)
	}
	o := b.vector(e)
	o.Opaque = true
	return &syntax.Ident{Obj: o}
}

// sliced translates the operand of a slice. Verilator gets the upper bits by a shift.
func (b *builder) sliced(e *ir.Expr) syntax.Expr {
	x := e.Args[0]
	if e.Lo+e.Type.Width < x.Type.Width {
		return b.part(x)
	}
	return b.unsigned(x, b.part)
}

// driving translates the value e that g is assigned. Its sign may count in another module:
// that module reads the port, or, if Verilator merges the two modules, the value.
func (b *builder) driving(g *ir.Signal, e *ir.Expr, otherwise func(*ir.Expr) syntax.Expr) syntax.Expr {
	if g.Kind != ir.Output && g.Pin == nil || !b.mayBeNegative(e) {
		return otherwise(e)
	}
	b.objs[g].Opaque = true
	if b.named[e] == b.objs[g] { // adopted: g would be assigned itself
		delete(b.named, e)
	}
	return b.unsigned(e, otherwise)
}

// mayBeNegative reports whether e can be a negative number in Verilator.
func (b *builder) mayBeNegative(e *ir.Expr) bool {
	if e.Type.Bits() != 32 || e.Op == ir.Const || e.Op == ir.ZExt || e.Op == ir.Concat && simplify.IsZero(e.Args[0]) {
		return false
	}
	return b.isSigned(e)
}

// isSigned reports whether e can be a signed number in Verilator.
func (b *builder) isSigned(e *ir.Expr) bool {
	if s, ok := b.signs[e]; ok {
		return s
	}
	b.signs[e] = false // for a vector that depends on itself
	s := b.findSign(e)
	b.signs[e] = s
	return s
}

// findSign computes isSigned.
func (b *builder) findSign(e *ir.Expr) bool {
	switch e.Op {
	case ir.Eq, ir.Ne, ir.LtU, ir.LeU:
		return simplify.AnyOf(e) == nil
	case ir.MemRead:
		return e.Mem.Width <= 16
	case ir.Const:
		return simplify.IsZero(e)
	case ir.Ref:
		return b.isSignedSignal(e.Sig)
	case ir.Slice, ir.ElemAt, ir.Shl, ir.ShrU:
		return b.isSigned(e.Args[0])
	case ir.Mux:
		return b.areSigned(e.Args[1:])
	case ir.Not, ir.ZExt, ir.Pack, ir.Unpack, ir.Concat, ir.VecOf, ir.Add, ir.Sub, ir.Mul, ir.And, ir.Or, ir.Xor:
		return b.areSigned(e.Args)
	}
	return false
}

// areSigned reports whether all of list can be signed numbers in Verilator.
func (b *builder) areSigned(list []*ir.Expr) bool {
	for _, e := range list {
		if !b.isSigned(e) {
			return false
		}
	}
	return true
}

// isSignedSignal reports whether what drives g can be signed. Other modules may drive narrow
// signed numbers, but no wide ones: driving prevents that.
func (b *builder) isSignedSignal(g *ir.Signal) bool {
	switch {
	case g.Kind == ir.Reg:
		return false
	case g.Driven():
		return b.areSigned(b.plan.Values[g])
	}
	return g.Type.Bits() < 32
}
