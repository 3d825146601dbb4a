package verilog

import (
	"cmp"
	"maps"
	"slices"
	"strings"

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

func (b *builder) stmts(list []ir.Stmt) []stmt {
	var out []stmt
	for i, st := range list {
		switch st := st.(type) {
		case *ir.Assign:
			b.target = st.LHS.Sig.Name
			out = append(out, b.set(st)...)
		case *ir.MemWrite:
			b.target = st.Mem.Name
			out = append(out, b.guarded(st.Addr, st.Mem.Depth, b.write(st)...)...)
		case *ir.When:
			b.target = firstTarget(list[i : i+1])
			n := &ifStmt{cond: b.chooser(st.Cond), src: b.src(st.Pos)}
			n.then, n.els = b.branch(st.Then), b.branch(st.Else)
			out = append(out, joinIf(n))
		case *ir.Switch:
			b.target = firstTarget(list[i : i+1])
			out = append(out, b.choose(st))
		case *ir.Assert:
			b.target = "assert"
			out = append(out, b.claim(st))
		}
	}
	return out
}

// writeAddress is the address of a write. One that is constant is a wire: Yosys makes
// registers of a memory with constant addresses, and warns of it.
func (b *builder) writeAddress(e *ir.Expr) expr {
	if e.Op == ir.Const || e.Op == ir.LoopConst {
		return &ident{b.name(e)}
	}
	return b.index(e)
}

// chooser is a condition, or what a case is about. If it may be constant in some
// iteration of a loop, it is a wire: Icarus waits for ever in an always @* of which
// but a branch with constants is left.
func (b *builder) chooser(e *ir.Expr) expr {
	if b.where == sensitive && e.Op != ir.Const && folds(e) {
		return &ident{b.name(e)}
	}
	return b.expr(e)
}

// folds tells whether e may be constant when loop variables are numbers.
func folds(e *ir.Expr) bool {
	switch e.Op {
	case ir.Const, ir.LoopConst:
		return true
	case ir.Ref, ir.MemRead, ir.ElemAt:
		return false
	case ir.Mux:
		a, b := folds(e.Args[1]), folds(e.Args[2])
		return a && b || folds(e.Args[0]) && (a || b)
	case ir.And, ir.Or, ir.Mul, ir.DivU, ir.ModU: // one operand may decide
		return slices.ContainsFunc(e.Args, folds)
	}
	return !slices.ContainsFunc(e.Args, func(a *ir.Expr) bool { return !folds(a) })
}

// branch translates statements under a condition: what they assign has no value
// for what follows.
func (b *builder) branch(list []ir.Stmt) []stmt {
	before := b.defaulted
	b.defaulted = maps.Clone(before)
	out := b.stmts(list)
	b.defaulted = before
	return out
}

// joinIf makes one condition of s and of an if that is all that s contains.
func joinIf(s *ifStmt) *ifStmt {
	if len(s.then) == 1 && len(s.els) == 0 {
		if in, ok := s.then[0].(*ifStmt); ok && len(in.els) == 0 && in.src == "" {
			s.cond, s.then = &binary{"&&", s.cond, in.cond}, in.then
		}
	}
	return s
}

func (b *builder) set(st *ir.Assign) []stmt {
	l, rhs := st.LHS, st.RHS
	if e := uncast(rhs); b.updatesItself(l, e) {
		l.Dyn, rhs = e.Args[1], e.Args[2]
	}
	n := &setStmt{rhs: b.value(rhs, l.Sig), nonblocking: l.Sig.Kind == ir.Reg, src: b.src(st.Pos)}
	if o := b.locals[localKey(l)]; o != nil && l.Part {
		n.lhs = &ident{o}
		if l.Bits > 0 {
			n.lhs = selectBits(n.lhs, l.Lo, l.Bits)
		}
	} else {
		n.lhs = b.lvalue(l)
	}
	if l.Dyn != nil {
		return b.guarded(l.Dyn, l.Sig.Type.Len, n)
	}
	if b.defaulted != nil && !l.Part && l.Bits == 0 {
		b.defaulted[l.Sig] = true
	}
	return []stmt{n}
}

// updatesItself tells whether l becomes what it was except for an element. If
// that is the only assignment, it is one of the element.
func (b *builder) updatesItself(l ir.LValue, rhs *ir.Expr) bool {
	if l.Part || l.Dyn != nil || l.Bits > 0 || l.Sig.Kind != ir.Reg || rhs.Op != ir.Update {
		return false
	}
	old := uncast(rhs.Args[0])
	return old.Op == ir.Ref && old.Sig == l.Sig && len(b.u.values[l.Sig]) == 1
}

// lhsKey tells left sides apart: a signal, or a fixed element of one. All of a
// signal and elements that are computed count as the signal.
type lhsKey struct {
	sig     *ir.Signal
	element string
}

func localKey(l ir.LValue) lhsKey {
	if !l.Part {
		return lhsKey{sig: l.Sig}
	}
	return lhsKey{l.Sig, l.Index.String()}
}

// firstTarget names what the first assignment in list drives.
func firstTarget(list []ir.Stmt) string {
	name := ""
	ir.WalkStmts(list, func(st ir.Stmt) {
		switch st := st.(type) {
		case *ir.Assign:
			if name == "" {
				name = st.LHS.Sig.Name
			}
		case *ir.MemWrite:
			if name == "" {
				name = st.Mem.Name
			}
		}
	})
	return name
}

// choose translates a Switch. Cases that do nothing are left to the default,
// unless that is another case.
func (b *builder) choose(st *ir.Switch) stmt {
	n := &caseStmt{of: b.chooser(st.Of), src: b.src(st.Pos)}
	var of *ir.Signal
	if st.Of.Op == ir.Ref {
		of = st.Of.Sig
	}
	// Without a value before it, the last case stands for the default.
	at := map[string]int{}
	covered := b.where == sensitive && complete(st) && !b.allDefaulted(st)
	for i, c := range st.Cases {
		if len(c.Body) == 0 && len(st.Default) == 0 && !covered {
			continue
		}
		k := caseItem{src: b.src(c.Pos)}
		for _, v := range c.Values {
			k.labels = append(k.labels, b.constant(v, of))
		}
		k.body = b.branch(c.Body)
		if covered && i == len(st.Cases)-1 {
			n.rest, n.restFor = k.body, labelText(k.labels)
			continue
		}
		addCase(n, k, at)
	}
	if len(st.Default) > 0 {
		n.rest = b.branch(st.Default)
	}
	if len(n.items) == 1 && len(n.items[0].labels) == 1 && n.restFor == "" {
		k := n.items[0]
		return &ifStmt{cond: equals(n.of, k.labels[0]), then: k.body, els: n.rest, src: n.src}
	}
	return n
}

// addCase appends k to the items of n, or its labels to those of the item that does the
// same: at says where that is.
func addCase(n *caseStmt, k caseItem, at map[string]int) {
	does := bodyText(k.body) + k.src
	if i, same := at[does]; same {
		n.items[i].labels = append(n.items[i].labels, k.labels...)
		return
	}
	at[does] = len(n.items)
	n.items = append(n.items, k)
}

// equals compares x with a number or the name of a state.
func equals(x, label expr) expr {
	if k, ok := label.(*number); ok && k.width == 1 {
		if k.val[0] == 1 {
			return x
		}
		return &unary{"!", x}
	}
	return &binary{"==", x, label}
}

// allDefaulted tells whether all that st assigns has a value before it.
func (b *builder) allDefaulted(st *ir.Switch) bool {
	all := true
	ir.WalkStmts([]ir.Stmt{st}, func(s ir.Stmt) {
		if a, ok := s.(*ir.Assign); ok && !b.defaulted[a.LHS.Sig] {
			all = false
		}
	})
	return all
}

func labelText(labels []expr) string {
	var out []string
	for _, l := range labels {
		out = append(out, exprText(l))
	}
	return strings.Join(out, ", ")
}
