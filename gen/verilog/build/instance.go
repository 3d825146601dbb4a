package build

import (
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// instance translates an instance and connects its ports.
func (b *builder) instance(s *scope, in *ir.Instance) {
	it := &syntax.InstanceItem{Module: in.Of.Name, Name: in.Name, Src: b.src(in.Pos)}
	if x := in.Of.Generic; x != nil && b.opt.Parameter(in.Of) {
		it.Module, it.Params = x.Name, []syntax.ParamValue{{Name: x.Param, Value: x.Value}}
	}
	if x := in.Of.Extern; x != nil {
		it.Module = x.Module
		for _, p := range x.Params {
			it.Params = append(it.Params, syntax.ParamValue{Name: p.Name, Value: int(p.Number), Text: p.Text})
		}
	}
	add := func(port string, value syntax.Expr, output bool) {
		it.Conns = append(it.Conns, syntax.Connection{Port: port, Value: value, Output: output})
	}
	if in.Of.Clock {
		add(in.Of.Own.ClockName(), &syntax.Ident{Obj: b.clock(in.Domain)}, false)
	}
	if in.Of.Reset {
		add(in.Of.Own.ResetName(), b.reset(in), false)
	}
	for i, p := range in.Of.Ports {
		pin := in.Pins[i]
		lhs, forwarded := b.plan.OutputPins[pin]
		switch {
		case p.Kind == ir.Input:
			add(p.Name, b.taken(pin), false)
		case forwarded:
			add(p.Name, b.lvalue(lhs), true)
		case b.plan.Signals[pin]:
			add(p.Name, &syntax.Ident{Obj: b.objs[pin]}, true)
		default:
			o := &syntax.Object{Name: b.names.Fresh("unused_" + pin.Name), Kind: syntax.Wire, Width: pin.Type.Bits(), Pos: pin.Pos}
			s.decls = append(s.decls, &syntax.DeclItem{Obj: o})
			add(p.Name, &syntax.Ident{Obj: o}, true)
		}
	}
	for i, p := range in.Of.Pads {
		add(p.Name, &syntax.Ident{Obj: b.objs[in.Pads[i]]}, true)
	}
	s.out = append(s.out, it)
}

// reset returns the reset input of an instance: the reset of its clock, or its own condition.
func (b *builder) reset(in *ir.Instance) syntax.Expr {
	rst, low := b.resetOf(in.Domain)
	switch {
	case in.Reset == nil && low == in.Of.Own.Low:
		return &syntax.Ident{Obj: rst}
	case in.Reset == nil:
		return &syntax.Unary{Op: "!", X: &syntax.Ident{Obj: rst}}
	case in.Of.Own.Low:
		return &syntax.Binary{Op: "&&", X: acting(rst, !low), Y: &syntax.Unary{Op: "!", X: b.taken(in.Reset)}}
	}
	return &syntax.Binary{Op: "||", X: acting(rst, low), Y: b.taken(in.Reset)}
}

// taken returns the value at an input pin of an instance.
func (b *builder) taken(pin *ir.Signal) syntax.Expr {
	if e := b.plan.InputPins[pin]; e != nil {
		return b.unsigned(e, b.expr)
	}
	return &syntax.Ident{Obj: b.objs[pin]}
}
