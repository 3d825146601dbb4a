package verilog

import (
	"math/big"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// simplifier rewrites expressions to what a person would write: no double
// negation, no comparison that is always true, no selection of what is at
// hand. Shared nodes stay shared.
type simplifier struct {
	memo    map[*ir.Expr]*ir.Expr
	written map[*ir.Mem]bool // memories with a write
}

func newSimplifier(m *ir.Module) *simplifier {
	s := &simplifier{memo: map[*ir.Expr]*ir.Expr{}, written: map[*ir.Mem]bool{}}
	m.Body.Walk(func(sc *ir.Scope) {
		ir.WalkStmts(sc.Stmts, func(st ir.Stmt) {
			if w, ok := st.(*ir.MemWrite); ok {
				s.written[w.Mem] = true
			}
		})
	})
	return s
}

// stmts simplifies statements; branches of constant conditions are resolved.
func (s *simplifier) stmts(list []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, st := range list {
		switch st := st.(type) {
		case *ir.Assign:
			n := *st
			n.RHS = s.expr(st.RHS)
			if n.LHS.Dyn != nil {
				if n.LHS.Dyn = s.expr(n.LHS.Dyn); beyond(n.LHS.Dyn, st.LHS.Sig.Type.Len) {
					continue
				}
			}
			out = append(out, &n)
		case *ir.When:
			n := &ir.When{Cond: s.expr(st.Cond), Then: s.stmts(st.Then), Else: s.stmts(st.Else), Pos: st.Pos}
			switch {
			case isOnes(n.Cond):
				out = append(out, n.Then...)
			case isZero(n.Cond):
				out = append(out, n.Else...)
			default:
				out = append(out, n)
			}
		case *ir.Switch:
			out = append(out, s.choose(st)...)
		case *ir.MemWrite:
			n := *st
			n.Addr, n.Data = s.expr(st.Addr), s.expr(st.Data)
			if beyond(n.Addr, st.Mem.Depth) {
				continue
			}
			out = append(out, &n)
		case *ir.Assert:
			n := *st
			n.Cond = s.expr(st.Cond)
			if !isOnes(n.Cond) {
				out = append(out, &n)
			}
		}
	}
	return out
}

// beyond tells whether an index is always n or more.
func beyond(index *ir.Expr, n int) bool { return index.Op == ir.Const && index.Uint() >= uint64(n) }

// scope simplifies the statements of a scope. A register that loses the only
// assignment to it, because that is never reached, gets one that holds it.
func (s *simplifier) scope(list []ir.Stmt) []ir.Stmt {
	out := s.stmts(list)
	left := map[lhsKey]bool{}
	ir.WalkStmts(out, func(st ir.Stmt) {
		if a, ok := st.(*ir.Assign); ok {
			left[localKey(a.LHS)] = true
		}
	})
	ir.WalkStmts(list, func(st ir.Stmt) {
		a, ok := st.(*ir.Assign)
		if !ok || a.LHS.Sig.Kind != ir.Reg {
			return
		}
		l := ir.LValue{Sig: a.LHS.Sig, Part: a.LHS.Part, Index: a.LHS.Index}
		if k := localKey(l); !left[k] && !left[localKey(ir.LValue{Sig: l.Sig})] {
			left[k] = true
			out = append(out, &ir.Assign{LHS: l, RHS: held(l, a.Pos), Pos: a.Pos})
		}
	})
	return out
}

// held is what the register or element l holds.
func held(l ir.LValue, pos ir.Pos) *ir.Expr {
	ref := &ir.Expr{Op: ir.Ref, Type: l.Sig.Type, Sig: l.Sig, Pos: pos}
	if !l.Part {
		return ref
	}
	return &ir.Expr{Op: ir.ElemAt, Type: l.Sig.Type.Elem(), Args: []*ir.Expr{ref}, Index: l.Index, Pos: pos}
}

func (s *simplifier) choose(st *ir.Switch) []ir.Stmt {
	n := &ir.Switch{Of: s.expr(st.Of), Default: s.stmts(st.Default), Pos: st.Pos}
	for _, c := range st.Cases {
		k := &ir.Case{Values: c.Values, Body: s.stmts(c.Body), Pos: c.Pos}
		if n.Of.Op == ir.Const {
			for _, v := range c.Values {
				if equalWords(v.Val, n.Of.Val) {
					return k.Body
				}
			}
		}
		n.Cases = append(n.Cases, k)
	}
	if n.Of.Op == ir.Const {
		return n.Default
	}
	if complete(n) {
		n.Default = nil
	}
	return []ir.Stmt{n}
}

// complete tells whether the cases of st have all values.
func complete(st *ir.Switch) bool {
	count := 0
	for _, c := range st.Cases {
		count += len(c.Values)
	}
	return st.Of.Type.Width < 31 && count == 1<<st.Of.Type.Width
}

func (s *simplifier) expr(e *ir.Expr) *ir.Expr {
	if out, ok := s.memo[e]; ok {
		return out
	}
	n := e
	for i, a := range e.Args {
		x := s.expr(a)
		if x == a {
			continue
		}
		if n == e {
			c := *e
			c.Args = append([]*ir.Expr(nil), e.Args...)
			n = &c
		}
		n.Args[i] = x
	}
	if n.Op == ir.MemRead && (!s.written[n.Mem] || beyond(n.Args[0], n.Mem.Depth)) {
		n = zero(n)
	} else {
		n = rewrite(n)
	}
	s.memo[e] = n
	return n
}

// node makes a simplified expression at the position of from.
func node(from *ir.Expr, op ir.Op, width int, args ...*ir.Expr) *ir.Expr {
	return rewrite(&ir.Expr{Op: op, Type: ir.Type{Width: width}, Args: args, Pos: from.Pos})
}

// rewrite simplifies e, whose operands are simplified.
func rewrite(e *ir.Expr) *ir.Expr {
	if k := fold(e); k != nil {
		return k
	}
	switch e.Op {
	case ir.Not:
		return rewriteNot(e)
	case ir.RedAnd, ir.RedOr, ir.RedXor, ir.Lowest:
		if e.Args[0].Type.Width == 1 {
			return e.Args[0]
		}
	case ir.Eq, ir.Ne:
		return rewriteEqual(e)
	case ir.LtU, ir.LeU:
		return rewriteOrder(e)
	case ir.And, ir.Or:
		return rewriteLogic(e)
	case ir.Mul:
		if isZero(e.Args[0]) || isZero(e.Args[1]) {
			return zero(e)
		}
	case ir.Mux:
		return rewriteMux(e)
	case ir.Slice:
		return rewriteSlice(e)
	case ir.Concat:
		return rewriteConcat(e)
	case ir.ZExt, ir.SExt:
		x := e.Args[0]
		if x.Type.Width == e.Type.Width {
			return x
		}
		if e.Op == ir.ZExt && x.Op == ir.ZExt {
			return node(e, ir.ZExt, e.Type.Width, x.Args[0])
		}
	case ir.ElemAt:
		return rewriteElemAt(e)
	case ir.Elem:
		n := e.Args[0].Type.Len
		if i := e.Args[1]; i.Op == ir.Const && i.Uint() >= uint64(n) {
			return zero(e)
		} else if a, fixed := fixedIndex(i, n); fixed {
			return rewrite(&ir.Expr{Op: ir.ElemAt, Type: e.Type, Args: e.Args[:1], Index: a, Pos: e.Pos})
		}
	case ir.Shl, ir.ShrU, ir.ShrS:
		return rewriteShift(e)
	case ir.RotL:
		return rewriteRotate(e)
	case ir.Pack:
		return rewritePack(e)
	case ir.Unpack:
		if x := e.Args[0]; x.Op == ir.Pack && x.Args[0].Type == e.Type {
			return x.Args[0]
		}
	case ir.ReduceOr:
		if e.Args[0].Type.Len == 1 {
			return elemAt(e, e.Args[0], 0)
		}
	case ir.Update:
		if e.Args[1].Op == ir.Const {
			return rewriteUpdate(e)
		}
	case ir.Encode:
		if e.Args[0].Type.Width <= 2 {
			return encodePair(e)
		}
	}
	return rewriteSingle(e)
}

// rewriteSingle turns the operators on vectors and words of one element or bit
// into what they are then.
func rewriteSingle(e *ir.Expr) *ir.Expr {
	single := func(v *ir.Expr) bool { return v.Type.Len == 1 }
	switch {
	case e.Op == ir.EqLanes && single(e.Args[0]):
		return node(e, ir.Eq, 1, elemAt(e, e.Args[0], 0), e.Args[1])
	case e.Op == ir.Select && single(e.Args[1]):
		return muxOf(e.Args[0], elemAt(e, e.Args[1], 0), zero(e))
	case e.Op == ir.Elem && single(e.Args[0]):
		return muxOf(e.Args[1], zero(e), elemAt(e, e.Args[0], 0))
	case e.Op == ir.Update && single(e):
		x := muxOf(e.Args[1], elemAt(e, e.Args[0], 0), e.Args[2])
		return &ir.Expr{Op: ir.VecOf, Type: e.Type, Args: []*ir.Expr{x}, Pos: e.Pos}
	case e.Op == ir.PopCount && e.Type.Width == 1:
		return e.Args[0]
	case e.Op == ir.Decode && e.Args[0].Type.Width > maxAmount && e.Type.Width > 1:
		return saturated(e, 0, zero(e))
	case e.Op == ir.Decode && e.Type.Width == 1:
		return node(e, ir.Eq, 1, e.Args[0], zero(e.Args[0]))
	case e.Op == ir.Route && single(e.Args[1]):
		hot := node(e, ir.Decode, e.Type.Len, elemAt(e, e.Args[1], 0))
		x := muxOf(e.Args[0], hot, zero(hot))
		return rewrite(&ir.Expr{Op: ir.Unpack, Type: e.Type, Args: []*ir.Expr{x}, Pos: e.Pos})
	}
	return e
}

// fixedIndex is i as an index of n elements that is known when the hardware is
// built.
func fixedIndex(i *ir.Expr, n int) (ir.Affine, bool) {
	switch i.Op {
	case ir.Const:
		return ir.Affine{Const: int(i.Uint())}, i.Uint() < uint64(n)
	case ir.LoopConst:
		_, hi := i.Index.Range()
		return i.Index, hi < n
	}
	return ir.Affine{}, false
}

func rewriteNot(e *ir.Expr) *ir.Expr {
	x := e.Args[0]
	switch x.Op {
	case ir.Not:
		return x.Args[0]
	case ir.Eq:
		return node(x, ir.Ne, 1, x.Args...)
	case ir.Ne:
		return node(x, ir.Eq, 1, x.Args...)
	case ir.LtU:
		return node(x, ir.LeU, 1, x.Args[1], x.Args[0])
	case ir.LeU:
		return node(x, ir.LtU, 1, x.Args[1], x.Args[0])
	case ir.RedOr:
		return node(x, ir.Eq, 1, x.Args[0], zero(x.Args[0]))
	}
	return e
}

// rewriteEqual turns comparisons of single bits with constants into the bit;
// named states stay.
func rewriteEqual(e *ir.Expr) *ir.Expr {
	x, y := e.Args[0], e.Args[1]
	if x.Op == ir.Const {
		x, y = y, x
	}
	if y.Op != ir.Const {
		return e
	}
	if y.Label == "" && x.Type.Width == 1 {
		if isOnes(y) == (e.Op == ir.Eq) {
			return x
		}
		return node(e, ir.Not, 1, x)
	}
	if y == e.Args[1] {
		return e
	}
	return &ir.Expr{Op: e.Op, Type: e.Type, Args: []*ir.Expr{x, y}, Pos: e.Pos}
}

// rewriteOrder resolves comparisons that have one outcome, or that are a test
// for equality.
func rewriteOrder(e *ir.Expr) *ir.Expr {
	x, y := e.Args[0], e.Args[1]
	less := e.Op == ir.LtU
	switch {
	case less && (isZero(y) || isOnes(x)):
		return zero(e)
	case !less && (isZero(x) || isOnes(y)):
		return allOnes(e)
	case less && isOnes(y):
		return node(e, ir.Ne, 1, x, y)
	case less && isZero(x):
		return node(e, ir.Ne, 1, y, x)
	case !less && isZero(y):
		return node(e, ir.Eq, 1, x, y)
	case !less && isOnes(x):
		return node(e, ir.Eq, 1, y, x)
	}
	return e
}

func rewriteLogic(e *ir.Expr) *ir.Expr {
	if e.Type.IsVec() {
		return e
	}
	x, y := e.Args[0], e.Args[1]
	absorbs, neutral := isZero, isOnes
	if e.Op == ir.Or {
		absorbs, neutral = isOnes, isZero
	}
	switch {
	case absorbs(x) || neutral(y):
		return x
	case absorbs(y) || neutral(x):
		return y
	}
	return e
}

func rewriteMux(e *ir.Expr) *ir.Expr {
	c, yes, no := e.Args[0], e.Args[1], e.Args[2]
	bit := e.Type == ir.Type{Width: 1}
	switch {
	case isOnes(c) || yes == no:
		return yes
	case isZero(c):
		return no
	case bit && isOnes(yes) && isZero(no) && yes.Label == "" && no.Label == "":
		return c
	case bit && isZero(yes) && isOnes(no) && yes.Label == "" && no.Label == "":
		return node(e, ir.Not, 1, c)
	case c.Op == ir.Not:
		return &ir.Expr{Op: ir.Mux, Type: e.Type, Args: []*ir.Expr{c.Args[0], no, yes}, Pos: e.Pos}
	}
	return e
}

func rewriteElemAt(e *ir.Expr) *ir.Expr {
	v := e.Args[0]
	if v.Type.Len == 1 && v.Op == ir.Unpack {
		return v.Args[0]
	}
	if len(e.Index.Terms) > 0 {
		return e
	}
	switch v.Op {
	case ir.VecOf:
		return v.Args[e.Index.Const]
	case ir.Unpack:
		return slice(e, v.Args[0], e.Index.Const*e.Type.Width, e.Type.Width)
	}
	return e
}

func elemAt(from, v *ir.Expr, i int) *ir.Expr {
	return rewrite(&ir.Expr{Op: ir.ElemAt, Type: v.Type.Elem(), Args: []*ir.Expr{v}, Index: ir.Affine{Const: i}, Pos: from.Pos})
}

// rewritePack turns the packed list of elements into a concatenation.
func rewritePack(e *ir.Expr) *ir.Expr {
	v := e.Args[0]
	switch v.Op {
	case ir.Unpack:
		return v.Args[0]
	case ir.VecOf:
		args := make([]*ir.Expr, len(v.Args))
		for i, a := range v.Args {
			args[len(args)-1-i] = a
		}
		return node(e, ir.Concat, e.Type.Width, args...)
	}
	return e
}

// encodePair is Encode of at most two bits: the upper one.
func encodePair(e *ir.Expr) *ir.Expr {
	if x := e.Args[0]; x.Type.Width == 2 {
		return slice(e, x, 1, 1)
	}
	return zero(e)
}

// rewriteUpdate lists the elements of a vector after one of them is replaced.
func rewriteUpdate(e *ir.Expr) *ir.Expr {
	v, at := e.Args[0], e.Args[1].Uint()
	if at >= uint64(e.Type.Len) {
		return v
	}
	elems := make([]*ir.Expr, e.Type.Len)
	for k := range elems {
		elems[k] = elemAt(e, v, k)
	}
	elems[at] = e.Args[2]
	return &ir.Expr{Op: ir.VecOf, Type: e.Type, Args: elems, Pos: e.Pos}
}

// maxAmount is the widest amount that Verilator can shift by.
const maxAmount = 32

// saturated is e, a function of e's operand i, for the low bits of that operand
// if it has too many, and beyond where a high bit is set.
func saturated(e *ir.Expr, i int, beyond *ir.Expr) *ir.Expr {
	a := e.Args[i]
	low := ir.CountWidth(e.Type.Width)
	n := &ir.Expr{Op: e.Op, Type: e.Type, Args: append([]*ir.Expr(nil), e.Args...), Pos: e.Pos}
	n.Args[i] = slice(e, a, 0, low)
	high := node(e, ir.RedOr, 1, slice(e, a, low, a.Type.Width-low))
	return muxOf(high, beyond, rewrite(n))
}

// rewriteShift resolves shifts by nothing and by all bits.
func rewriteShift(e *ir.Expr) *ir.Expr {
	x, a, w := e.Args[0], e.Args[1], e.Type.Width
	switch {
	case isZero(a) || isZero(x):
		return x
	case a.Op != ir.Const && a.Type.Width > maxAmount && e.Op == ir.ShrS && w > 1:
		return saturated(e, 1, node(e, ir.SExt, w, slice(e, x, w-1, 1)))
	case a.Op != ir.Const && a.Type.Width > maxAmount && e.Op != ir.ShrS:
		return saturated(e, 1, zero(e))
	case a.Op != ir.Const || toBig(a).Cmp(big.NewInt(int64(w))) < 0:
		return e
	case e.Op == ir.ShrS && w == 1:
		return x
	case e.Op == ir.ShrS:
		return node(e, ir.SExt, w, slice(e, x, w-1, 1))
	}
	return zero(e)
}

// rewriteRotate turns rotation by a constant into a concatenation.
func rewriteRotate(e *ir.Expr) *ir.Expr {
	x, a := e.Args[0], e.Args[1]
	w := e.Type.Width
	if w == 1 {
		return x
	}
	if a.Op != ir.Const {
		return e
	}
	n := int(modWord(a.Val, w))
	if n == 0 {
		return x
	}
	return node(e, ir.Concat, w, slice(e, x, 0, w-n), slice(e, x, w-n, n))
}
