package hw

import (
	"reflect"

	"github.com/hotline-rtl/hotline/hw/enum"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Pad is a bidirectional port, inout in Verilog: a field of a record of ports with a width and
// neither in nor out. It connects an external Verilog module (Extern) to a port of the design. The
// modules in between only connect it; Go code cannot access its value.
type Pad struct{ *value }

func (p *Pad) hold(v *value)             { p.value = v }
func (p *Pad) held() *value              { return p.value }
func (*Pad) named() (s enum.Set, _ bool) { return s, false }
func (*Pad) isVector() bool              { return false }

var padType = reflect.TypeFor[Pad]()

// padUse is a pad of a module, or of one of its instances.
type padUse struct {
	*ir.Pad
	inst *ir.Instance // or nil
}

// pad declares a pad.
func (d declaration) pad(n *node, at spot) *value {
	if d.what != "port" || at.dir != noDirection || at.back {
		d.m.errorf(d.pos, "record", "%s: a pad is a port, and neither in nor out", n.path)
	}
	d.m.claim("pad", at.name, d.pos)
	p := &ir.Pad{Name: at.name, Width: n.width, Doc: n.doc, Pos: d.pos}
	d.m.ir.Pads = append(d.m.ir.Pads, p)
	return d.m.padValue(padUse{p, nil}, d.pos)
}

// padValue returns a placeholder for a pad. Any use of it as a value is a mistake.
func (m *Module) padValue(p padUse, pos ir.Pos) *value {
	u := use{pos: pos, m: m}
	v := u.nothing(ir.Type{Width: p.Width})
	v.bad, v.pad = []*Error{newError(pos, "extern", m.ir.Name, "pad %q has no value; Connect leads it to the pad of an instance", p.Name)}, &p
	return v
}

// Connect connects the pad of an instance to a pad of the module.
func (p Pad) Connect(to Pad) { connectPads(p.value, to.value, ir.Caller(0)) }

func connectPads(p, to *value, pos ir.Pos) {
	if p == nil || to == nil || p.pad == nil || to.pad == nil {
		refuse(begin(pos, p, to), "a pad that was never declared")
		return
	}
	m := p.m
	switch {
	case p.pad.inst == nil || to.pad.inst != nil || m != to.m:
		m.errorf(pos, "extern", "pad %q: Connect leads the pad of an instance to one of the module around it", p.pad.Name)
		return
	case p.pad.Width != to.pad.Width:
		m.errorf(pos, "extern", "pad %q has %d bits, pad %q has %d", p.pad.Name, p.pad.Width, to.pad.Name, to.pad.Width)
	}
	for i, q := range p.pad.inst.Of.Pads {
		if q != p.pad.Pad {
			continue
		}
		if p.pad.inst.Pads[i] != nil {
			m.errorf(pos, "extern", "pad %q of instance %q is connected already", q.Name, p.pad.inst.Name)
		}
		p.pad.inst.Pads[i] = to.pad.Pad
	}
}

// checkPads checks that the pads of the module and the pads of its instances are connected one to
// one.
func (m *Module) checkPads() {
	count := map[*ir.Pad]int{}
	m.ir.Body.Walk(func(s *ir.Scope) {
		for _, in := range s.Insts {
			if len(in.Pads) > 0 && s.Loop != nil {
				m.errorf(in.Pos, "extern", "instance %q has pads and is in a loop", in.Name)
			}
			for i, p := range in.Pads {
				if count[p]++; p == nil {
					m.errorf(in.Pos, "extern", "pad %q of instance %q is not connected; Connect it to a pad among the ports", in.Of.Pads[i].Name, in.Name)
				}
			}
		}
	})
	for _, p := range m.ir.Pads {
		if m.ir.Extern == nil && count[p] != 1 {
			m.errorf(p.Pos, "extern", "pad %q leads to %d instances, expected 1", p.Name, count[p])
		}
	}
}
