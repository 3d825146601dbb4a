package hw

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// pass makes the ports of g return new words. A port may read a word that is written in the same
// cycle. In that case the written lanes go into a register next to the read register of the
// memory.
func (m *Module) pass(g *memory) {
	lanes, ok := m.lanesOf(g)
	if !ok {
		for _, p := range g.ports {
			m.refusePort(p)
		}
		return
	}
	if !slices.ContainsFunc(g.ports, func(p *port) bool { return p.addr != nil }) {
		return
	}
	g.ir.Any = lanes == 1 // lanes that are not written still come from the memory
	enables := m.enables(g, lanes)
	for _, p := range g.ports {
		if p.addr != nil {
			m.passTo(p, lanes, enables)
		}
	}
}

// lanesOf returns the number of lanes in the masks of g, or 1 without masks. The masks must agree.
func (m *Module) lanesOf(g *memory) (lanes int, ok bool) {
	lanes = 1
	for _, w := range g.writes {
		if w.Mask == nil {
			continue
		}
		if n := w.Mask.Type.Width; lanes > 1 && n != lanes {
			m.errorf(w.Pos, "memory", "memory %q is written with masks of %d and %d bits; its ports read new words, for which all must be the same", g.ir.Name, lanes, n)
			return 0, false
		}
		lanes = w.Mask.Type.Width
	}
	return lanes, true
}

// enables declares one wire per write that holds the lanes written in this cycle.
func (m *Module) enables(g *memory, lanes int) []*ir.Expr {
	t := ir.Type{Width: lanes}
	var defaults []ir.Stmt
	var out []*ir.Expr
	for i, w := range g.writes {
		name := g.ir.Name + "_write"
		if i > 0 {
			name += fmt.Sprint(i + 1)
		}
		s := m.own(ir.Wire, name, t, nil, w.Pos)
		none := &ir.Expr{Op: ir.Const, Type: t, Val: make([]uint64, ir.Words(lanes)), Pos: w.Pos}
		if w.list != &m.scope.Stmts {
			defaults = append(defaults, &ir.Assign{LHS: ir.LValue{Sig: s}, RHS: none, Pos: w.Pos})
		}
		mask := w.Mask
		if mask == nil {
			mask = &ir.Expr{Op: ir.Not, Type: t, Args: []*ir.Expr{none}, Pos: w.Pos}
		}
		*w.list = append(*w.list, &ir.Assign{LHS: ir.LValue{Sig: s}, RHS: mask, Pos: w.Pos})
		out = append(out, &ir.Expr{Op: ir.Ref, Type: t, Sig: s, Pos: w.Pos})
	}
	m.scope.Stmts = append(defaults, m.scope.Stmts...)
	return out
}

// passTo drives the data of p: new lanes where a write hit the word, stored lanes elsewhere.
func (m *Module) passTo(p *port, lanes int, enables []*ir.Expr) {
	word, mask := p.data.Type, ir.Type{Width: lanes}
	var hits, fresh *ir.Expr
	for i, w := range p.of.writes {
		same := p.node(ir.Eq, ir.Type{Width: 1}, w.Addr, p.addr)
		if lanes > 1 {
			same = p.node(ir.SExt, mask, same)
		}
		hit := p.node(ir.And, mask, enables[i], same)
		if hits == nil {
			hits, fresh = hit, w.Data
			continue
		}
		hits, fresh = p.node(ir.Or, mask, hits, hit), p.choose(hit, w.Data, fresh)
	}
	if hits == nil {
		m.add(p.assign(p.data, p.ref(p.stored)))
		return
	}
	hits = p.inside(hits)
	hit, passed := m.own(ir.Reg, p.name+"_hit", mask, p.of.ir.Domain, p.pos), m.own(ir.Reg, p.name+"_new", word, p.of.ir.Domain, p.pos)
	*p.list = append(*p.list, p.assign(hit, hits), p.assign(passed, fresh))
	m.add(p.assign(p.data, p.choose(p.ref(hit), p.ref(passed), p.ref(p.stored))))
}

// inside masks hits with the condition that the address is within the depth, because writes beyond
// the depth have no effect.
func (p *port) inside(hits *ir.Expr) *ir.Expr {
	depth, t := p.of.ir.Depth, p.addr.Type
	if depth == 1<<t.Width {
		return hits
	}
	last := &ir.Expr{Op: ir.Const, Type: t, Val: []uint64{uint64(depth - 1)}, Pos: p.pos}
	within := p.node(ir.LeU, ir.Type{Width: 1}, p.addr, last)
	if hits.Type.Width > 1 {
		within = p.node(ir.SExt, hits.Type, within)
	}
	return p.node(ir.And, hits.Type, hits, within)
}

// choose selects, lane by lane, yes where cond is 1, else no.
func (p *port) choose(cond, yes, no *ir.Expr) *ir.Expr {
	lanes := cond.Type.Width
	if lanes == 1 {
		return p.node(ir.Mux, yes.Type, cond, yes, no)
	}
	size := yes.Type.Width / lanes
	part := func(e *ir.Expr, i, size int) *ir.Expr {
		out := p.node(ir.Slice, ir.Type{Width: size}, e)
		out.Lo = i * size
		return out
	}
	out := p.node(ir.Concat, yes.Type)
	for i := lanes - 1; i >= 0; i-- {
		out.Args = append(out.Args, p.node(ir.Mux, ir.Type{Width: size}, part(cond, i, 1), part(yes, i, size), part(no, i, size)))
	}
	return out
}

func (p *port) node(op ir.Op, t ir.Type, args ...*ir.Expr) *ir.Expr {
	return &ir.Expr{Op: op, Type: t, Args: args, Pos: p.pos}
}

func (p *port) ref(s *ir.Signal) *ir.Expr {
	return &ir.Expr{Op: ir.Ref, Type: s.Type, Sig: s, Pos: p.pos}
}

func (p *port) assign(s *ir.Signal, value *ir.Expr) *ir.Assign {
	return &ir.Assign{LHS: ir.LValue{Sig: s}, RHS: value, Pos: p.pos}
}
