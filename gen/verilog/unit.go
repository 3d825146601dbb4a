package verilog

import "github.com/hotline-rtl/hotline/hw/ir"

// unit is a module on its way through the passes.
type unit struct {
	mod    *ir.Module
	body   *scope
	scopes map[*ir.Scope]*scope
	names  *names
	opt    Options
	gen    *generator

	needs map[any][]any       // what the drivers of a signal or memory read
	sigs  map[*ir.Signal]bool // those that are left after prune
	mems  map[*ir.Mem]bool
	reach map[*ir.Signal]signalSet // cache of unit.reaches

	values   map[*ir.Signal][]*ir.Expr // that are assigned
	variable map[*ir.Signal]bool       // assigned in always blocks
	direct   map[*ir.Signal]*ir.Expr   // input pins without a wire, and what they take
	forward  map[*ir.Signal]ir.LValue  // output pins without a wire, and what they drive
}

// scope is an ir.Scope on its way through the passes.
type scope struct {
	ir     *ir.Scope
	parent *scope
	v      *loopVar // nil for the module's body
	stmts  []ir.Stmt
	inner  []*scope // one for each of ir.Fors
	plan   []planned

	params, decls, out []item
}

func newUnit(m *ir.Module, g *generator) *unit {
	u := &unit{mod: m, opt: g.opt, gen: g, scopes: map[*ir.Scope]*scope{}, names: newNames(m),
		reach: map[*ir.Signal]signalSet{}, variable: map[*ir.Signal]bool{}, values: map[*ir.Signal][]*ir.Expr{},
		direct: map[*ir.Signal]*ir.Expr{}, forward: map[*ir.Signal]ir.LValue{}}
	u.body = u.newScope(m.Body, nil, 0, newSimplifier(m, g.opt.PowerUp))
	return u
}

func (u *unit) newScope(is *ir.Scope, parent *scope, depth int, s *simplifier) *scope {
	sc := &scope{ir: is, parent: parent, stmts: s.scope(is.Stmts)}
	u.scopes[is] = sc
	if is.Loop != nil {
		sc.v = &loopVar{name: u.names.genvar(depth), n: is.Loop.N}
		depth++
	}
	for _, l := range is.Fors {
		sc.inner = append(sc.inner, u.newScope(l.Body, sc, depth, s))
	}
	return sc
}

// name is the name of the loop that s is the body of, "" for the module's body.
func (s *scope) name() string {
	if s.ir.Loop == nil {
		return ""
	}
	return s.ir.Loop.Name
}

// walk calls f for s and the scopes inside it, outermost first.
func (s *scope) walk(f func(*scope)) {
	f(s)
	for _, in := range s.inner {
		in.walk(f)
	}
}

// loops are the variables of the loops around and of s, outermost first.
func (s *scope) loops() []*loopVar {
	if s == nil || s.v == nil {
		return nil
	}
	return append(s.parent.loops(), s.v)
}

// deeper is the inner one of two nested scopes.
func deeper(a, b *scope) *scope {
	if a == nil || b != nil && b.ir.Inside(a.ir) {
		return b
	}
	return a
}

// leafReads calls f for every signal and memory that e reads.
func leafReads(e *ir.Expr, visited map[*ir.Expr]bool, sig func(*ir.Signal), mem func(*ir.Mem)) {
	ir.WalkExpr(e, visited, func(x *ir.Expr) {
		switch x.Op {
		case ir.Ref:
			sig(x.Sig)
		case ir.MemRead:
			mem(x.Mem)
		}
	})
}

// memories are those that are left after prune.
func (u *unit) memories() []*ir.Mem {
	var out []*ir.Mem
	u.body.walk(func(s *scope) {
		for _, m := range s.ir.Mems {
			if u.mems[m] {
				out = append(out, m)
			}
		}
	})
	return out
}
