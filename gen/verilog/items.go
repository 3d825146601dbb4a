package verilog

import (
	"cmp"

	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// adopt lets wires that are assigned once be the names of what they are
// assigned, where that is read elsewhere too.
func (b *builder) adopt() {
	b.u.body.walk(func(s *scope) {
		for _, it := range s.items {
			if it.kind != assignPlan {
				continue
			}
			a := it.stmts[0].(*ir.Assign)
			plain := !a.LHS.Part && a.LHS.Sig.Pin == nil && a.LHS.Sig.Scope == s.ir
			if plain && b.uses[a.RHS] > 1 && b.weight(a.RHS) > 0 && b.named[a.RHS] == nil && b.scopeOf(a.RHS).scope == s {
				b.named[a.RHS] = b.objs[a.LHS.Sig]
			}
		}
	})
}

// scope translates the items of a scope in order.
func (b *builder) scope(of *scope) {
	s := b.scopes[of.ir]
	for _, m := range s.ir.Mems {
		if b.u.mems[m] && m.Init != nil {
			b.contents(s, m)
		}
	}
	for _, it := range of.items {
		b.where, b.target = continuous, ""
		switch it.kind {
		case assignPlan:
			b.assignItem(s, it)
		case muxPlan:
			b.muxItems(s, it)
		case combPlan:
			b.combItem(s, it)
		case clockedPlan:
			b.clockedItem(s, it)
		case instPlan:
			b.instance(s, it.inst)
		case loopPlan:
			b.scope(it.inner)
			in := b.scopes[it.inner.ir]
			s.out = append(s.out, &syntax.GenerateItem{Var: in.v, Label: in.name(), Body: in.items()})
		case formalPlan:
			b.formalItem(s, it)
		}
	}
}

// assignItem translates a plain assignment of a wire.
func (b *builder) assignItem(s *frame, it planned) {
	a := it.stmts[0].(*ir.Assign)
	o := b.objs[a.LHS.Sig]
	b.target = o.Name
	if isBlock(a) {
		s.out = append(s.out, b.labelled(b.block(simplify.Uncast(a.RHS), o), o))
		return
	}
	rhs := b.driving(a.LHS.Sig, a.RHS, func(e *ir.Expr) syntax.Expr { return b.root(e, o) })
	s.out = append(s.out, &syntax.AssignItem{Lhs: b.lvalue(a.LHS), Rhs: rhs, Src: b.src(a.Pos)})
}

// root is e as the whole right side of an assign to o.
func (b *builder) root(e *ir.Expr, o *syntax.Object) syntax.Expr {
	if named := b.named[e]; named == o || named == nil && e.Op == ir.ShrS {
		return b.inline(e, nil)
	}
	return b.expr(e)
}

// combItem translates conditional assignments of wires to an always block.
func (b *builder) combItem(s *frame, it planned) {
	var after []syntax.Item
	for _, l := range it.lhs {
		if !b.u.variable[l.Sig] {
			o := &syntax.Object{Name: b.names.Fresh(l.Sig.Name + "_value"), Kind: syntax.Reg, Width: l.Sig.Type.Width, Loops: s.loops(), Pos: l.Sig.Pos}
			s.out = append(s.out, &syntax.DeclItem{Obj: o, Local: true})
			after = append(after, &syntax.AssignItem{Lhs: b.lvalue(l), Rhs: &syntax.Ident{Obj: o}})
			b.locals[simplify.TargetOf(l)] = o
		}
	}
	b.where = sensitive
	b.defaulted = map[*ir.Signal]bool{}
	body := b.stmts(it.stmts)
	b.where = continuous
	s.out = append(s.out, &syntax.AlwaysItem{Body: body})
	s.out = append(s.out, after...)
}

// clockedItem translates assignments of registers and memories.
func (b *builder) clockedItem(s *frame, it planned) {
	body := b.stmts(it.stmts)
	always := &syntax.AlwaysItem{Clock: b.clock(it.domain), Body: body}
	if len(it.lhs) > 0 && it.lhs[0].Sig.HasReset {
		var reset []syntax.Stmt
		for _, l := range it.lhs {
			reset = append(reset, &syntax.SetStmt{Lhs: b.lvalue(l), Rhs: b.initial(l), Nonblocking: true, Src: b.src(l.Sig.Pos)})
		}
		always = b.resetting(it.domain, reset, body)
	}
	s.out = append(s.out, always)
}

// initial is the reset value of a register or element.
func (b *builder) initial(l ir.LValue) syntax.Expr {
	k := &ir.Expr{Op: ir.Const, Type: l.Sig.Type.Elem(), Val: l.Sig.Init}
	n := l.Type().Count()
	switch {
	case n == 1:
		return b.constant(k, l.Sig)
	case simplify.IsZero(k):
		return syntax.Zeros(l.Type().Bits())
	}
	return &syntax.Repeat{N: n, X: b.constant(k, nil)}
}

func (b *builder) formalItem(s *frame, it planned) {
	always := func(body []syntax.Stmt) []syntax.Item {
		always := &syntax.AlwaysItem{Clock: b.clock(it.domain), Body: body}
		if rst, low := b.resetOf(it.domain); rst != nil {
			always.Body = []syntax.Stmt{joinIf(&syntax.IfStmt{Cond: acting(rst, !low), Then: body})}
			if b.simulated && b.async(it.domain) { // linters warn of a reset that acts at once here and at the clock there
				always.Reset, always.Low = rst, low
			}
		}
		return []syntax.Item{always}
	}
	out := &syntax.FormalItem{Formal: always(b.stmts(it.stmts))}
	if len(it.checks) > 0 {
		b.simulated = true
		out.Simulated = always(b.stmts(it.checks))
		b.simulated = false
	}
	s.out = append(s.out, out)
}

// claim is an assertion for formal tools, or what tells of its failure.
func (b *builder) claim(st *ir.Assert) syntax.Stmt {
	if !b.simulated {
		return &syntax.AssertStmt{Kind: st.Kind, Cond: b.expr(st.Cond), Text: st.Text, Src: b.src(st.Pos)}
	}
	wrong := simplify.Node(st.Cond, ir.Not, 1, st.Cond)
	text := cmp.Or(st.Text, st.Kind.String()+" fails")
	return joinIf(&syntax.IfStmt{Cond: b.expr(wrong), Then: []syntax.Stmt{&syntax.ErrorStmt{Text: text}}, Src: b.src(st.Pos)})
}

// muxItems translates assignments of wires to assigns of conditional
// expressions, one for each element of what depends on itself.
func (b *builder) muxItems(s *frame, it planned) {
	for _, l := range it.lhs {
		e := simplify.Value(it.stmts, l, nil)
		if !b.u.elementwise(l) {
			s.out = append(s.out, &syntax.AssignItem{Lhs: b.lvalue(l), Rhs: b.driving(l.Sig, e, b.expr)})
			continue
		}
		for k := range l.Sig.Type.Len {
			x := simplify.Element(e, k)
			at := ir.LValue{Sig: l.Sig, Part: true, Index: ir.Affine{Const: k}}
			s.out = append(s.out, &syntax.AssignItem{Lhs: b.lvalue(at), Rhs: b.expr(x)})
		}
	}
}
