package netlist

import (
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
)

// clear returns the net that is 1 while f is in reset for a reason other than rst: the disjunction
// of the Resets of the surrounding instances, or None. It starts with an empty stack, because a
// condition may depend on state that it resets; registers break such a loop.
func (b *builder) clear(f *frame) Net {
	for f.outer != nil {
		f = f.outer
	}
	if f.up == nil {
		return None
	}
	outer := b.clear(f.up)
	if f.inst.Reset == nil {
		return outer
	}
	own := b.element(f.up, f.inst.Reset, 0)
	if outer == None {
		return own
	}
	return b.one(b.made(f.up, f.inst, ir.Or, 1, f.inst.Pos), ir.Or, 1, 0, outer, own)
}

// enable returns the net that is 1 while c is checked in f.
func (b *builder) enable(f *frame, c *drivers.Check) Net {
	on := b.ticking(f, c.Domain, c, c.Pos, b.scalar(f, c.Enable))
	clear := b.clocking(f, c.Domain).reset
	if clear == None {
		clear = b.clear(f)
	}
	if clear == None {
		return on
	}
	from := b.made(f, c, ir.Mux, 1, c.Pos)
	never := b.constNet(1, []uint64{0})
	return b.one(from, ir.Mux, 1, 0, clear, never, on)
}

// made returns the origin of an operation in f that has no expression in the design. All such
// operations for one part of the design share an origin.
func (b *builder) made(f *frame, part any, op ir.Op, width int, pos ir.Pos) origin {
	e := b.expressions[part]
	if e == nil {
		e = &ir.Expr{Op: op, Type: ir.Type{Width: width}, Pos: pos}
		b.expressions[part] = e
	}
	return origin{f, e, 0}
}
