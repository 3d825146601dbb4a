package verilog

import (
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

func (b *builder) ports() []*object {
	var out []*object
	if b.u.ir.Clock {
		out = append(out, b.own("clk", b.u.ir.Own.ClockName()))
	}
	if b.u.ir.Reset {
		out = append(out, b.own("rst", b.u.ir.Own.ResetName()))
	}
	for _, p := range b.u.ir.Ports {
		if p.Kind == ir.Output && b.u.selfDependent(p) {
			out = append(out, b.splitPort(p))
			continue
		}
		out = append(out, b.objs[p])
	}
	for _, p := range b.u.ir.Pads {
		o := &object{name: p.Name, kind: inoutObject, width: p.Width, comment: oneLine(p.Doc), pos: p.Pos}
		b.objs[p] = o
		out = append(out, o)
	}
	return out
}

// splitPort is the port of a vector that depends on itself: inside it is a
// signal that Verilator can split, which no port is.
func (b *builder) splitPort(p *ir.Signal) *object {
	in := b.objs[p]
	port := &object{name: p.Name, kind: outputObject, width: in.width, comment: in.comment, lens: in.lens, elem: in.elem, group: in.group, pos: p.Pos}
	in.name, in.kind, in.split = b.names.fresh(p.Name+"_parts"), wireObject, true
	if b.u.variable[p] {
		in.kind = regObject
	}
	s := b.body
	s.decls = append(s.decls, &declItem{obj: in})
	b.last = append(b.last, &assignItem{lhs: &ident{port}, rhs: &ident{in}})
	return port
}

// own is the port for the module's own clock, the key clk, or reset, the key rst.
func (b *builder) own(key, name string) *object {
	o := &object{name: name, kind: inputObject, width: 1}
	b.objs[key] = o
	return o
}

// declare makes the objects of a scope.
func (b *builder) declare(of *scope) {
	s := b.scopes[of.ir]
	for _, g := range s.ir.Mems {
		if b.u.mems[g] {
			o := &object{name: g.Name, kind: memoryObject, width: g.Width, depth: g.Depth, loops: s.loops(), style: g.Style, any: g.Any, comment: oneLine(g.Doc), pos: g.Pos}
			b.objs[g] = o
			s.decls = append(s.decls, &declItem{obj: o, src: b.src(g.Pos)})
		}
	}
	for _, g := range s.ir.Signals {
		o := &object{name: g.Name, kind: b.kind(g), width: g.Type.Bits(), loops: s.loops(), comment: oneLine(g.Doc), crosses: g.Crosses != ir.NoCrossing, group: heading(g), pos: g.Pos}
		o.lens, o.elem = dimensions(g), g.Type.Width
		b.objs[g] = o
		if g.Kind == ir.Input || g.Kind == ir.Output || !b.needsWire(g) {
			continue
		}
		o.split = b.u.selfDependent(g)
		s.decls = append(s.decls, &declItem{obj: o, src: b.src(g.Pos)})
	}
}

// needsWire tells whether g is declared: it is driven and read, and no pin
// connected directly.
func (b *builder) needsWire(g *ir.Signal) bool {
	_, forwarded := b.u.forward[g]
	return b.u.sigs[g] && b.u.direct[g] == nil && !forwarded
}

func (b *builder) kind(g *ir.Signal) objectKind {
	v := b.u.variable[g]
	switch {
	case g.Kind == ir.Input:
		return inputObject
	case g.Kind == ir.Output && v:
		return outputRegObject
	case g.Kind == ir.Output:
		return outputObject
	case v:
		return regObject
	}
	return wireObject
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
func newNames(m *ir.Module) *names {
	n := &names{taken: map[string]bool{m.Name: true, m.Own.ClockName(): true, m.Own.ResetName(): true}}
	if m.Generic != nil {
		n.taken[m.Generic.Name], n.taken[m.Generic.Param] = true, true
	}
	for _, p := range m.Pads {
		n.taken[p.Name] = true
	}
	m.Body.Walk(func(s *ir.Scope) {
		for _, g := range s.Signals {
			n.taken[g.Name] = true
		}
		for _, g := range s.Mems {
			n.taken[g.Name] = true
		}
		for _, g := range s.Insts {
			n.taken[g.Name] = true
		}
		for _, g := range s.Fors {
			n.taken[g.Name] = true
		}
	})
	return n
}
