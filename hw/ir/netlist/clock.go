package netlist

import "github.com/hotline-rtl/hotline/hw/ir"

// clocking describes the clock and reset of state. tick is 1 in a time step with an edge of the
// clock, or None if every step has an edge. reset is 1 while the reset is active, or None if there
// is no reset or only the engine's.
type clocking struct {
	tick, reset Net
	async       bool
}

// clocking returns the clock and the reset of state in domain d of f.
func (b *builder) clocking(f *frame, d *ir.Domain) clocking {
	for f.outer != nil {
		f = f.outer
	}
	switch {
	case d != nil:
		c := clocking{tick: b.element(f, d.Clock, 0), reset: None, async: d.Async}
		if d.Reset != nil {
			c.reset = b.active(f, d)
		}
		return c
	case f.up == nil:
		return clocking{tick: None, reset: None}
	}
	c := b.clocking(f.up, f.inst.Domain)
	if c.tick == None || f.inst.Reset == nil {
		return c
	}
	own := b.element(f.up, f.inst.Reset, 0)
	if c.reset == None {
		c.reset = own
	} else {
		c.reset = b.one(b.made(f.up, f.inst, ir.Or, 1, f.inst.Pos), ir.Or, 1, 0, c.reset, own)
	}
	return c
}

// active returns the net that is 1 while the reset of d is active.
func (b *builder) active(f *frame, d *ir.Domain) Net {
	r := b.element(f, d.Reset, 0)
	if !d.Low {
		return r
	}
	return b.one(b.made(f, d, ir.Not, 1, d.Reset.Pos), ir.Not, 1, 0, r)
}

// choice identifies a multiplexer that a clock or a reset adds to part.
type choice struct {
	part any
	what string
}

// choose returns yes while cond is 1, else no, for element elem of part.
func (b *builder) choose(f *frame, part choice, elem int, pos ir.Pos, cond, yes, no Net) Net {
	if val, ok := b.fixed[cond]; ok {
		if val[0] == 1 {
			return yes
		}
		return no
	}
	if yes == no {
		return yes
	}
	width := int(b.d.Width[yes])
	from := b.made(f, part, ir.Mux, width, pos)
	from.elem = elem
	return b.one(from, ir.Mux, width, 0, cond, yes, no)
}

// async reports whether the reset of domain d in f is asynchronous. It resolves no nets, because
// the inputs of a synchronous reset may depend on state that it resets.
func async(f *frame, d *ir.Domain) bool {
	for d == nil {
		for f.outer != nil {
			f = f.outer
		}
		if f.up == nil {
			return false
		}
		f, d = f.up, f.inst.Domain
	}
	return d.Async
}

// present returns the value that a read of element k of a register yields: its reset value while
// an asynchronous reset is active, else the stored value q.
func (b *builder) present(f *frame, sig *ir.Signal, k int, q Net) Net {
	if !sig.HasReset || !async(f, sig.Domain) {
		return q
	}
	c := b.clocking(f, sig.Domain)
	return b.choose(f, choice{sig, "present"}, k, sig.Pos, c.reset, b.constNet(sig.Type.Width, sig.Init), q)
}

// follow completes register i, whose next value is next, with its clock and reset.
func (b *builder) follow(i int, next Net) {
	r, v := &b.d.Regs[i], b.pending[i]
	c := b.clocking(v.frame, v.sig.Domain)
	if c.tick == None {
		if r.D = next; r.Reset {
			r.Clear = b.clear(v.frame)
		}
		return
	}
	resets := r.Reset && c.reset != None
	init := None
	if resets {
		init = b.constNet(v.sig.Type.Width, v.sig.Init)
	}
	if resets && !c.async {
		next = b.choose(v.frame, choice{v.sig, "reset"}, v.elem, v.sig.Pos, c.reset, init, next)
	}
	next = b.choose(v.frame, choice{v.sig, "tick"}, v.elem, v.sig.Pos, c.tick, next, r.Q)
	if resets && c.async {
		next = b.choose(v.frame, choice{v.sig, "reset"}, v.elem, v.sig.Pos, c.reset, init, next)
	}
	b.d.Regs[i].D, b.d.Regs[i].Reset = next, false
}

// ticking gates the enable on with the clock of domain d: the result is 0 without an edge.
func (b *builder) ticking(f *frame, d *ir.Domain, part any, pos ir.Pos, on Net) Net {
	c := b.clocking(f, d)
	if c.tick == None {
		return on
	}
	return b.choose(f, choice{part, "tick"}, 0, pos, c.tick, on, b.constNet(1, []uint64{0}))
}
