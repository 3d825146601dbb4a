package simplify

import "github.com/hotline-rtl/hotline/hw/ir"

// stmts simplifies statements and resolves branches with constant conditions.
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
			case IsZero(n.Cond):
				out = append(out, n.Else...)
			default:
				out = append(out, n)
			}
		case *ir.Switch:
			out = append(out, s.choose(st)...)
		case *ir.MemWrite:
			n := *st
			n.Addr, n.Data = s.expr(st.Addr), s.expr(st.Data)
			if st.Mask != nil {
				n.Mask = s.expr(st.Mask)
			}
			if beyond(n.Addr, st.Mem.Depth) || n.Mask != nil && IsZero(n.Mask) {
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

// scope simplifies the statements of a scope. A register can lose its only assignment, or the
// only one to some bits, because that is never reached. It then gets an assignment that holds
// it, before the assignments to its elements.
func (s *simplifier) scope(list []ir.Stmt) []ir.Stmt {
	out := s.stmts(list)
	left := map[bitsKey]bool{}
	key := func(l ir.LValue) bitsKey { return bitsKey{TargetOf(l), l.Lo, l.Bits} }
	ir.WalkStmts(out, func(st ir.Stmt) {
		if a, ok := st.(*ir.Assign); ok {
			left[key(a.LHS)] = true
		}
	})
	var holds []ir.Stmt
	ir.WalkStmts(list, func(st ir.Stmt) {
		a, ok := st.(*ir.Assign)
		if !ok || a.LHS.Sig.Kind != ir.Reg {
			return
		}
		l := ir.LValue{Sig: a.LHS.Sig, Part: a.LHS.Part, Index: a.LHS.Index}
		if !left[key(a.LHS)] && !left[key(l)] && !left[key(ir.LValue{Sig: l.Sig})] {
			left[key(l)] = true
			holds = append(holds, &ir.Assign{LHS: l, RHS: held(l, a.Pos), Pos: a.Pos})
		}
	})
	return append(holds, out...)
}

// held returns the present value of the register or element l.
func held(l ir.LValue, pos ir.Pos) *ir.Expr {
	ref := &ir.Expr{Op: ir.Ref, Type: l.Sig.Type, Sig: l.Sig, Pos: pos}
	if !l.Part {
		return ref
	}
	return &ir.Expr{Op: ir.ElemAt, Type: l.Sig.Type.Elem(), Args: []*ir.Expr{ref}, Index: l.Index, Pos: pos}
}

// choose simplifies a Switch, and resolves one with a constant operand.
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
	if Complete(n) {
		n.Default = nil
	}
	return []ir.Stmt{n}
}

// beyond reports whether an index is always n or more.
func beyond(index *ir.Expr, n int) bool { return index.Op == ir.Const && index.Uint() >= uint64(n) }

// bitsKey identifies bits of a Target.
type bitsKey struct {
	Target
	lo, bits int
}
