package verilog

import (
	"cmp"

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
			s.out = append(s.out, &generateItem{v: in.v, label: in.name(), body: in.items()})
		case formalPlan:
			b.formalItem(s, it)
		}
	}
}

// assignItem translates a plain assignment of a wire.
func (b *builder) assignItem(s *frame, it planned) {
	a := it.stmts[0].(*ir.Assign)
	o := b.objs[a.LHS.Sig]
	b.target = o.name
	if isBlock(a) {
		s.out = append(s.out, b.labelled(b.block(uncast(a.RHS), o), o))
		return
	}
	rhs := b.driving(a.LHS.Sig, a.RHS, func(e *ir.Expr) expr { return b.root(e, o) })
	s.out = append(s.out, &assignItem{lhs: b.lvalue(a.LHS), rhs: rhs, src: b.src(a.Pos)})
}

// root is e as the whole right side of an assign to o.
func (b *builder) root(e *ir.Expr, o *object) expr {
	if named := b.named[e]; named == o || named == nil && e.Op == ir.ShrS {
		return b.inline(e, nil)
	}
	return b.expr(e)
}

// combItem translates conditional assignments of wires to an always block.
func (b *builder) combItem(s *frame, it planned) {
	var after []item
	for _, l := range it.lhs {
		if !b.u.variable[l.Sig] {
			o := &object{name: b.names.fresh(l.Sig.Name + "_value"), kind: regObject, width: l.Sig.Type.Width, loops: s.loops(), pos: l.Sig.Pos}
			s.out = append(s.out, &declItem{obj: o, local: true})
			after = append(after, &assignItem{lhs: b.lvalue(l), rhs: &ident{o}})
			b.locals[localKey(l)] = o
		}
	}
	b.where = sensitive
	b.defaulted = map[*ir.Signal]bool{}
	body := b.stmts(it.stmts)
	b.where = continuous
	s.out = append(s.out, &alwaysItem{body: body})
	s.out = append(s.out, after...)
}

// clockedItem translates assignments of registers and memories.
func (b *builder) clockedItem(s *frame, it planned) {
	body := b.stmts(it.stmts)
	always := &alwaysItem{clock: b.clock(it.domain), body: body}
	if len(it.lhs) > 0 && it.lhs[0].Sig.HasReset {
		var reset []stmt
		for _, l := range it.lhs {
			reset = append(reset, &setStmt{lhs: b.lvalue(l), rhs: b.initial(l), nonblocking: true, src: b.src(l.Sig.Pos)})
		}
		always = b.resetting(it.domain, reset, body)
	}
	s.out = append(s.out, always)
}

// initial is the reset value of a register or element.
func (b *builder) initial(l ir.LValue) expr {
	k := &ir.Expr{Op: ir.Const, Type: l.Sig.Type.Elem(), Val: l.Sig.Init}
	n := l.Type().Count()
	switch {
	case n == 1:
		return b.constant(k, l.Sig)
	case isZero(k):
		return zeros(l.Type().Bits())
	}
	return &repeat{n, b.constant(k, nil)}
}

func (b *builder) formalItem(s *frame, it planned) {
	always := func(body []stmt) []item {
		always := &alwaysItem{clock: b.clock(it.domain), body: body}
		if rst, low := b.resetOf(it.domain); rst != nil {
			always.body = []stmt{joinIf(&ifStmt{cond: acting(rst, !low), then: body})}
			if b.simulated && b.async(it.domain) { // linters warn of a reset that acts at once here and at the clock there
				always.reset, always.low = rst, low
			}
		}
		return []item{always}
	}
	out := &formalItem{formal: always(b.stmts(it.stmts))}
	if len(it.checks) > 0 {
		b.simulated = true
		out.simulated = always(b.stmts(it.checks))
		b.simulated = false
	}
	s.out = append(s.out, out)
}

// claim is an assertion for formal tools, or what tells of its failure.
func (b *builder) claim(st *ir.Assert) stmt {
	if !b.simulated {
		return &assertStmt{kind: st.Kind, cond: b.expr(st.Cond), text: st.Text, src: b.src(st.Pos)}
	}
	wrong := node(st.Cond, ir.Not, 1, st.Cond)
	text := cmp.Or(st.Text, st.Kind.String()+" fails")
	return joinIf(&ifStmt{cond: b.expr(wrong), then: []stmt{&errorStmt{text}}, src: b.src(st.Pos)})
}

// muxItems translates assignments of wires to assigns of conditional
// expressions, one for each element of what depends on itself.
func (b *builder) muxItems(s *frame, it planned) {
	for _, l := range it.lhs {
		e := muxValue(it.stmts, l, nil)
		if !b.u.elementwise(l) {
			s.out = append(s.out, &assignItem{lhs: b.lvalue(l), rhs: b.driving(l.Sig, e, b.expr)})
			continue
		}
		for k := range l.Sig.Type.Len {
			x := pushElem(e, k)
			at := ir.LValue{Sig: l.Sig, Part: true, Index: ir.Affine{Const: k}}
			s.out = append(s.out, &assignItem{lhs: b.lvalue(at), rhs: b.expr(x)})
		}
	}
}
