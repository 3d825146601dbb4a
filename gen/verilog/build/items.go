package build

import (
	"cmp"

	"github.com/hotline-rtl/hotline/gen/verilog/plan"
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// adopt names expressions after the wires that they are assigned to, if these are assigned
// once and the expressions are read elsewhere, too.
func (b *builder) adopt() {
	b.plan.Body.Walk(func(s *plan.Scope) {
		for _, it := range s.Items {
			if it.Kind != plan.Assign && it.Kind != plan.Block {
				continue
			}
			a := it.Stmts[0].(*ir.Assign)
			plain := !a.LHS.Part && a.LHS.Sig.Pin == nil && a.LHS.Sig.Scope == s.IR
			if plain && b.uses[a.RHS] > 1 && b.weight(a.RHS) > 0 && b.named[a.RHS] == nil && b.scopeOf(a.RHS).Scope == s {
				b.named[a.RHS] = b.objs[a.LHS.Sig]
			}
		}
	})
}

// scope translates the items of a scope in order.
func (b *builder) scope(of *plan.Scope) {
	s := b.scopes[of.IR]
	for _, m := range s.IR.Mems {
		if b.plan.Mems[m] && m.Init != nil {
			b.contents(s, m)
		}
	}
	for _, it := range of.Items {
		b.where, b.target = continuous, ""
		switch it.Kind {
		case plan.Assign:
			b.assignItem(s, it)
		case plan.Block:
			b.blockItem(s, it)
		case plan.Mux:
			b.muxItems(s, it)
		case plan.Comb:
			b.combItem(s, it)
		case plan.Clocked:
			b.clockedItem(s, it)
		case plan.Instance:
			b.instance(s, it.Inst)
		case plan.Loop:
			b.scope(it.Inner)
			in := b.scopes[it.Inner.IR]
			s.out = append(s.out, &syntax.GenerateItem{Var: in.v, Label: in.name(), Body: in.items()})
		case plan.Formal:
			b.formalItem(s, it)
		}
	}
}

// assignItem translates a plain assignment of a wire.
func (b *builder) assignItem(s *scope, it plan.Item) {
	a := it.Stmts[0].(*ir.Assign)
	o := b.objs[a.LHS.Sig]
	b.target = o.Name
	rhs := b.driving(a.LHS.Sig, a.RHS, func(e *ir.Expr) syntax.Expr { return b.root(e, o) })
	s.out = append(s.out, &syntax.AssignItem{Lhs: b.lvalue(a.LHS), Rhs: rhs, Src: b.src(a.Pos)})
}

// blockItem translates an assignment of a value that a loop computes.
func (b *builder) blockItem(s *scope, it plan.Item) {
	a := it.Stmts[0].(*ir.Assign)
	o := b.objs[a.LHS.Sig]
	b.target = o.Name
	s.out = append(s.out, b.labelled(b.block(simplify.Uncast(a.RHS), o), o))
}

// root translates e as the whole right side of an assign to o.
func (b *builder) root(e *ir.Expr, o *syntax.Object) syntax.Expr {
	if named := b.named[e]; named == o || named == nil && e.Op == ir.ShrS {
		return b.inline(e, nil)
	}
	return b.expr(e)
}

// combItem translates conditional assignments of wires to an always block.
func (b *builder) combItem(s *scope, it plan.Item) {
	var after []syntax.Item
	for _, l := range it.Drives {
		if !b.plan.Variables[l.Sig] {
			o := &syntax.Object{Name: b.names.Fresh(l.Sig.Name + "_value"), Kind: syntax.Reg, Width: l.Sig.Type.Width, Loops: s.loops(), Pos: l.Sig.Pos}
			s.out = append(s.out, &syntax.DeclItem{Obj: o, Local: true})
			after = append(after, &syntax.AssignItem{Lhs: b.lvalue(l), Rhs: &syntax.Ident{Obj: o}})
			b.locals[simplify.TargetOf(l)] = o
		}
	}
	b.where = sensitive
	b.defaulted = map[*ir.Signal]bool{}
	body := b.stmts(it.Stmts)
	b.where = continuous
	s.out = append(s.out, &syntax.AlwaysItem{Body: body})
	s.out = append(s.out, after...)
}

// clockedItem translates assignments of registers and memories.
func (b *builder) clockedItem(s *scope, it plan.Item) {
	body := b.stmts(it.Stmts)
	always := &syntax.AlwaysItem{Clock: b.clock(it.Domain), Body: body}
	if len(it.Drives) > 0 && it.Drives[0].Sig.HasReset {
		var reset []syntax.Stmt
		for _, l := range it.Drives {
			reset = append(reset, &syntax.SetStmt{Lhs: b.lvalue(l), Rhs: b.initial(l), Nonblocking: true, Src: b.src(l.Sig.Pos)})
		}
		always = b.resetting(it.Domain, reset, body)
	}
	s.out = append(s.out, always)
}

// initial returns the reset value of a register or element.
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

// formalItem translates assertions, for formal tools and for simulators. Both ignore them in
// reset.
func (b *builder) formalItem(s *scope, it plan.Item) {
	always := func(body []syntax.Stmt) []syntax.Item {
		always := &syntax.AlwaysItem{Clock: b.clock(it.Domain), Body: body}
		if rst, low := b.resetOf(it.Domain); rst != nil {
			always.Body = []syntax.Stmt{joinIf(&syntax.IfStmt{Cond: acting(rst, !low), Then: body})}
			if b.simulated && b.async(it.Domain) { // linters warn of a reset that acts at once here and at the clock there
				always.Reset, always.Low = rst, low
			}
		}
		return []syntax.Item{always}
	}
	out := &syntax.FormalItem{Formal: always(b.stmts(it.Stmts))}
	if len(it.Checks) > 0 {
		b.simulated = true
		out.Simulated = always(b.stmts(it.Checks))
		b.simulated = false
	}
	s.out = append(s.out, out)
}

// claim translates an assertion: to itself for formal tools, or to an error message for
// simulators.
func (b *builder) claim(st *ir.Assert) syntax.Stmt {
	if !b.simulated {
		return &syntax.AssertStmt{Kind: st.Kind, Cond: b.expr(st.Cond), Text: st.Text, Src: b.src(st.Pos)}
	}
	wrong := simplify.Node(st.Cond, ir.Not, 1, st.Cond)
	text := cmp.Or(st.Text, st.Kind.String()+" fails")
	return joinIf(&syntax.IfStmt{Cond: b.expr(wrong), Then: []syntax.Stmt{&syntax.ErrorStmt{Text: text}}, Src: b.src(st.Pos)})
}

// muxItems translates assignments of wires to assigns of conditional expressions. A vector
// that depends on itself gets one for each element.
func (b *builder) muxItems(s *scope, it plan.Item) {
	for _, l := range it.Drives {
		e := simplify.Value(it.Stmts, l)
		if !b.plan.Elementwise(l) {
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
