package build

import (
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog/plan"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// ports returns the ports of the module: clock, reset, inputs and outputs, pads.
func (b *builder) ports() []*syntax.Object {
	var out []*syntax.Object
	if b.plan.IR.Clock {
		out = append(out, b.own("clk", b.plan.IR.Own.ClockName()))
	}
	if b.plan.IR.Reset {
		out = append(out, b.own("rst", b.plan.IR.Own.ResetName()))
	}
	for _, p := range b.plan.IR.Ports {
		if p.Kind == ir.Output && b.plan.SelfDependent(p) {
			out = append(out, b.splitPort(p))
			continue
		}
		out = append(out, b.objs[p])
	}
	for _, p := range b.plan.IR.Pads {
		o := &syntax.Object{Name: p.Name, Kind: syntax.Inout, Width: p.Width, Comment: oneLine(p.Doc), Pos: p.Pos}
		b.objs[p] = o
		out = append(out, o)
	}
	return out
}

// splitPort returns the port of a vector that depends on itself. Inside the module a signal
// takes its place, because Verilator can split signals but not ports.
func (b *builder) splitPort(p *ir.Signal) *syntax.Object {
	in := b.objs[p]
	port := &syntax.Object{Name: p.Name, Kind: syntax.Output, Width: in.Width, Comment: in.Comment, Lens: in.Lens, Elem: in.Elem, Group: in.Group, Pos: p.Pos}
	in.Name, in.Kind, in.Split = b.names.Fresh(p.Name+"_parts"), syntax.Wire, true
	if b.plan.Variables[p] {
		in.Kind = syntax.Reg
	}
	s := b.body
	s.decls = append(s.decls, &syntax.DeclItem{Obj: in})
	b.last = append(b.last, &syntax.AssignItem{Lhs: &syntax.Ident{Obj: port}, Rhs: &syntax.Ident{Obj: in}})
	return port
}

// own returns the port of the module's own clock, with the key "clk", or reset, with the key
// "rst".
func (b *builder) own(key, name string) *syntax.Object {
	o := &syntax.Object{Name: name, Kind: syntax.Input, Width: 1}
	b.objs[key] = o
	return o
}

// declare makes the objects of a scope.
func (b *builder) declare(of *plan.Scope) {
	s := b.scopes[of.IR]
	for _, g := range s.IR.Mems {
		if b.plan.Mems[g] {
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
		o.Split = b.plan.SelfDependent(g)
		s.decls = append(s.decls, &syntax.DeclItem{Obj: o, Src: b.src(g.Pos)})
	}
}

// needsWire reports whether g is declared: it is used, and no pin is connected in its place.
func (b *builder) needsWire(g *ir.Signal) bool {
	_, forwarded := b.plan.OutputPins[g]
	return b.plan.Signals[g] && b.plan.InputPins[g] == nil && !forwarded
}

// kind returns how g is declared.
func (b *builder) kind(g *ir.Signal) syntax.ObjectKind {
	v := b.plan.Variables[g]
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

// heading returns what g belongs to: its group, or the instance that it is a pin of.
func heading(g *ir.Signal) string {
	if g.Pin != nil {
		return g.Pin.Inst.Name
	}
	return oneLine(g.Group)
}

// oneLine returns s without line breaks, for a comment.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// dimensions returns the lengths of a vector of several elements, nil for any other signal.
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

// newNames returns the names of a module, of which those in the IR are taken.
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
