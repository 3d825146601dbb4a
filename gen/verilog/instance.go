package verilog

import "github.com/hotline-rtl/hotline/hw/ir"

func (b *builder) instance(s *frame, in *ir.Instance) {
	it := &instanceItem{module: in.Of.Name, name: in.Name, src: b.src(in.Pos)}
	if x := in.Of.Generic; x != nil && b.opt.parameter(in.Of) {
		it.module, it.params = x.Name, []param{{name: x.Param, value: x.Value}}
	}
	if x := in.Of.Extern; x != nil {
		it.module = x.Module
		for _, p := range x.Params {
			it.params = append(it.params, param{p.Name, int(p.Number), p.Text})
		}
	}
	add := func(port string, value expr, output bool) {
		it.conns = append(it.conns, connection{port, value, output})
	}
	if in.Of.Clock {
		add(in.Of.Own.ClockName(), &ident{b.clock(in.Domain)}, false)
	}
	if in.Of.Reset {
		add(in.Of.Own.ResetName(), b.reset(in), false)
	}
	for i, p := range in.Of.Ports {
		pin := in.Pins[i]
		lhs, forwarded := b.u.forward[pin]
		switch {
		case p.Kind == ir.Input:
			add(p.Name, b.taken(pin), false)
		case forwarded:
			add(p.Name, b.lvalue(lhs), true)
		case b.u.sigs[pin]:
			add(p.Name, &ident{b.objs[pin]}, true)
		default:
			o := &object{name: b.names.fresh("unused_" + pin.Name), kind: wireObject, width: pin.Type.Bits(), pos: pin.Pos}
			s.decls = append(s.decls, &declItem{obj: o})
			add(p.Name, &ident{o}, true)
		}
	}
	for i, p := range in.Of.Pads {
		add(p.Name, &ident{b.objs[in.Pads[i]]}, true)
	}
	s.out = append(s.out, it)
}

// reset is when in is in reset.
func (b *builder) reset(in *ir.Instance) expr {
	rst, low := b.resetOf(in.Domain)
	switch {
	case in.Reset == nil && low == in.Of.Own.Low:
		return &ident{rst}
	case in.Reset == nil:
		return &unary{"!", &ident{rst}}
	case in.Of.Own.Low:
		return &binary{"&&", acting(rst, !low), &unary{"!", b.taken(in.Reset)}}
	}
	return &binary{"||", acting(rst, low), b.taken(in.Reset)}
}

// taken is what an instance takes at an input pin.
func (b *builder) taken(pin *ir.Signal) expr {
	if e := b.u.direct[pin]; e != nil {
		return b.unsigned(e, b.expr)
	}
	return &ident{b.objs[pin]}
}
