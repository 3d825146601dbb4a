package late

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Port is the input that Crossings adds to a top module with synchronisers: one bit per
// synchroniser, over all instances. While its bit is 1 at an edge, a synchroniser captures the
// value that its source had at the previous edge. No module of package hw can use this name.
const Port = "late__crossings"

// Crossings changes d and returns the number of synchronisers in d. If there are none, it adds no
// Port. A module with a Verilog parameter becomes a separate module for each value.
func Crossings(d *ir.Design) int {
	p := &pass{count: map[*ir.Module]int{}, ports: map[*ir.Module]*ir.Signal{}}
	for _, m := range d.Modules { // callees first
		p.count[m] = p.size(m.Body)
	}
	n := p.count[d.Top]
	if n == 0 {
		return 0
	}
	d.Plain()
	for _, m := range d.Modules {
		p.module(m)
	}
	return n
}

type pass struct {
	count map[*ir.Module]int        // synchronisers of a module, including its instances
	ports map[*ir.Module]*ir.Signal // inputs that select the late synchronisers
}

// size returns the number of synchronisers in one copy of s.
func (p *pass) size(s *ir.Scope) int {
	n := 0
	for _, g := range s.Signals {
		if g.Crosses.Synchronises() {
			n++
		}
	}
	for _, in := range s.Insts {
		n += p.count[in.Of]
	}
	for _, l := range s.Fors {
		n += l.N * p.size(l.Body)
	}
	return n
}

func (p *pass) module(m *ir.Module) {
	if p.count[m] == 0 {
		return
	}
	port := &ir.Signal{Name: Port, Kind: ir.Input, Type: ir.Type{Width: 1, Len: p.count[m]}, Scope: m.Body, Pos: m.Pos}
	m.Ports = append(m.Ports, port)
	m.Body.Signals = append(m.Body.Signals, port)
	p.ports[m] = port
	p.scope(m.Body, port, ir.Affine{})
}

// scope delays the synchronisers of s, whose bits of port start at at.
func (p *pass) scope(s *ir.Scope, port *ir.Signal, at ir.Affine) {
	for _, g := range slices.Clone(s.Signals) {
		if g.Crosses.Synchronises() {
			delay(g, bit(port, at, g.Pos))
			at.Const++
		}
	}
	for _, in := range s.Insts {
		if n := p.count[in.Of]; n > 0 {
			p.connect(s, in, port, at)
			at.Const += n
		}
	}
	for _, l := range s.Fors {
		size := p.size(l.Body)
		if size > 0 {
			p.scope(l.Body, port, at.Plus(ir.Affine{Terms: []ir.Term{{Loop: l, Mul: size}}}))
		}
		at.Const += l.N * size
	}
}

// bit returns the element of port at the given position.
func bit(port *ir.Signal, at ir.Affine, pos ir.Pos) *ir.Expr {
	return &ir.Expr{Op: ir.ElemAt, Type: ir.Type{Width: 1}, Args: []*ir.Expr{ref(port, pos)}, Index: at, Pos: pos}
}

func ref(g *ir.Signal, pos ir.Pos) *ir.Expr {
	return &ir.Expr{Op: ir.Ref, Type: g.Type, Sig: g, Pos: pos}
}

// connect connects the bits of an instance.
func (p *pass) connect(s *ir.Scope, in *ir.Instance, port *ir.Signal, at ir.Affine) {
	inner := p.ports[in.Of]
	pin := &ir.Signal{Name: in.Name + "__late", Kind: ir.Wire, Type: inner.Type, Scope: s, Pin: &ir.Pin{Inst: in, Port: inner}, Pos: in.Pos}
	in.Pins = append(in.Pins, pin)
	s.Signals = append(s.Signals, pin)
	bits := &ir.Expr{Op: ir.VecOf, Type: inner.Type, Pos: in.Pos}
	for range inner.Type.Len {
		bits.Args = append(bits.Args, bit(port, at, in.Pos))
		at.Const++
	}
	s.Stmts = append(s.Stmts, &ir.Assign{LHS: ir.LValue{Sig: pin}, RHS: bits, Pos: in.Pos})
}

// delay makes g capture its previously captured value while late is 1.
func delay(g *ir.Signal, late *ir.Expr) {
	last := *g
	last.Name, last.Crosses, last.Doc, last.Group = g.Name+"__last", ir.CrossHeld, "", ""
	g.Scope.Signals = append(g.Scope.Signals, &last)
	g.Scope.Walk(func(s *ir.Scope) { s.Stmts = delayed(s.Stmts, g, &last, late) })
}

// delayed returns list with g delayed.
func delayed(list []ir.Stmt, g, last *ir.Signal, late *ir.Expr) []ir.Stmt {
	var out []ir.Stmt
	for _, st := range list {
		switch st := st.(type) {
		case *ir.When:
			st.Then, st.Else = delayed(st.Then, g, last, late), delayed(st.Else, g, last, late)
		case *ir.Switch:
			for _, c := range st.Cases {
				c.Body = delayed(c.Body, g, last, late)
			}
			st.Default = delayed(st.Default, g, last, late)
		case *ir.Assign:
			if st.LHS.Sig == g {
				out = append(out, take(st, last, late)...)
				continue
			}
		}
		out = append(out, st)
	}
	return out
}

// take returns st with the selection of the previously captured value, and the statement that
// stores the current value.
func take(st *ir.Assign, last *ir.Signal, late *ir.Expr) []ir.Stmt {
	now, keep := *st, *st
	keep.LHS.Sig = last
	before := ref(last, st.Pos)
	switch {
	case st.LHS.Dyn != nil:
		before = &ir.Expr{Op: ir.Elem, Type: last.Type.Elem(), Args: []*ir.Expr{before, st.LHS.Dyn}, Pos: st.Pos}
	case st.LHS.Part:
		before = &ir.Expr{Op: ir.ElemAt, Type: last.Type.Elem(), Args: []*ir.Expr{before}, Index: st.LHS.Index, Pos: st.Pos}
	}
	if st.LHS.Bits > 0 {
		before = &ir.Expr{Op: ir.Slice, Type: ir.Type{Width: st.LHS.Bits}, Args: []*ir.Expr{before}, Lo: st.LHS.Lo, Pos: st.Pos}
	}
	now.RHS = &ir.Expr{Op: ir.Mux, Type: st.RHS.Type, Args: []*ir.Expr{late, before, st.RHS}, Pos: st.Pos}
	return []ir.Stmt{&now, &keep}
}
