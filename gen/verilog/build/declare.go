package build

import (
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog/plan"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

func (b *builder) ports() []*syntax.Object {
	var out []*syntax.Object
	if b.u.IR.Clock {
		out = append(out, b.own("clk", b.u.IR.Own.ClockName()))
	}
	if b.u.IR.Reset {
		out = append(out, b.own("rst", b.u.IR.Own.ResetName()))
	}
	for _, p := range b.u.IR.Ports {
		if p.Kind == ir.Output && b.u.SelfDependent(p) {
			out = append(out, b.splitPort(p))
			continue
		}
		out = append(out, b.objs[p])
	}
	for _, p := range b.u.IR.Pads {
		o := &syntax.Object{Name: p.Name, Kind: syntax.Inout, Width: p.Width, Comment: oneLine(p.Doc), Pos: p.Pos}
		b.objs[p] = o
		out = append(out, o)
	}
	return out
}

// splitPort is the port of a vector that depends on itself: inside it is a
// signal that Verilator can split, which no port is.
func (b *builder) splitPort(p *ir.Signal) *syntax.Object {
	in := b.objs[p]
	port := &syntax.Object{Name: p.Name, Kind: syntax.Output, Width: in.Width, Comment: in.Comment, Lens: in.Lens, Elem: in.Elem, Group: in.Group, Pos: p.Pos}
	in.Name, in.Kind, in.Split = b.names.Fresh(p.Name+"_parts"), syntax.Wire, true
	if b.u.Variables[p] {
		in.Kind = syntax.Reg
	}
	s := b.body
	s.decls = append(s.decls, &syntax.DeclItem{Obj: in})
	b.last = append(b.last, &syntax.AssignItem{Lhs: &syntax.Ident{Obj: port}, Rhs: &syntax.Ident{Obj: in}})
	return port
}

// own is the port for the module's own clock, the key clk, or reset, the key rst.
func (b *builder) own(key, name string) *syntax.Object {
	o := &syntax.Object{Name: name, Kind: syntax.Input, Width: 1}
	b.objs[key] = o
	return o
}

// declare makes the objects of a scope.
func (b *builder) declare(of *plan.Scope) {
	s := b.scopes[of.IR]
	for _, g := range s.IR.Mems {
		if b.u.Mems[g] {
			o := &syntax.Object{Name: g.Name, Kind: syntax.Memory, Width: g.Width, Depth: g.Depth, Loops: s.loops(), Style: g.Style, Unchecked: g.Any, Comment: oneLine(g.Doc), Pos: g.Pos}
			b.objs[g] = o
			s.decls = append(s.decls, &syntax.DeclItem{Obj: o, Src: b.src(g.Pos)})
		}
	}
	for _, g := range s.IR.Signals {
		o := &syntax.Object{Name: g.Name, Kind: b.kind(g), Width: g.Type.Bits(), Loops: s.loops(), Comment: oneLine(g.Doc), Crosses: g.Crosses != ir.NoCrossing, Group: heading(g), Pos: g.Pos}
		o.Lens, o.Elem = dimensions(g), g.Type.Width
		b.objs[g] = o
		if g.Kind == ir.Input || g.Kind == ir.Output || !b.needsWire(g) {
			continue
		}
		o.Split = b.u.SelfDependent(g)
		s.decls = append(s.decls, &syntax.DeclItem{Obj: o, Src: b.src(g.Pos)})
	}
}

// needsWire tells whether g is declared: it is driven and read, and no pin
// connected directly.
func (b *builder) needsWire(g *ir.Signal) bool {
	_, forwarded := b.u.OutputPins[g]
	return b.u.Signals[g] && b.u.InputPins[g] == nil && !forwarded
}

func (b *builder) kind(g *ir.Signal) syntax.ObjectKind {
	v := b.u.Variables[g]
	switch {
	case g.Kind == ir.Input:
		return syntax.Input
	case g.Kind == ir.Output && v:
		return syntax.OutputReg
	case g.Kind == ir.Output:
		return syntax.Output
	case v:
		return syntax.Reg
	}
	return syntax.Wire
}

// heading names what g is a part of: its group, or the instance that it is a pin of.
func heading(g *ir.Signal) string {
	if g.Pin != nil {
		return g.Pin.Inst.Name
	}
	return oneLine(g.Group)
}

// oneLine is s fit for a comment.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// dimensions are the lengths of g, if it is a vector of several elements.
func dimensions(g *ir.Signal) []int {
	lens := g.Lens
	if g.Pin != nil {
		lens = g.Pin.Port.Lens
	}
	switch {
	case g.Type.Len <= 1:
		return nil
	case lens == nil:
		return []int{g.Type.Len}
	}
	return lens
}

// newNames returns the names of a module, with what the IR names in it.
func newNames(m *ir.Module) *syntax.Names {
	n := syntax.NewNames()
	n.Take(m.Name)
	n.Take(m.Own.ClockName())
	n.Take(m.Own.ResetName())
	if m.Generic != nil {
		n.Take(m.Generic.Name)
		n.Take(m.Generic.Param)
	}
	for _, p := range m.Pads {
		n.Take(p.Name)
	}
	m.Body.Walk(func(s *ir.Scope) {
		for _, g := range s.Signals {
			n.Take(g.Name)
		}
		for _, g := range s.Mems {
			n.Take(g.Name)
		}
		for _, g := range s.Insts {
			n.Take(g.Name)
		}
		for _, g := range s.Fors {
			n.Take(g.Name)
		}
	})
	return n
}
