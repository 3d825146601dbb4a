package netlist

import (
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// modelled reports whether f is an external module that a model executes.
func (b *builder) modelled(f *frame) bool { return b.models && f.mod.IR.Extern != nil }

// externs adds ports for the inputs and outputs of models.
func (b *builder) externs() {
	for _, f := range b.frames {
		if !b.modelled(f) {
			continue
		}
		x := Extern{Path: join(f.path), Module: f.mod.IR, Tick: -1, Reset: -1}
		for _, p := range f.mod.IR.Ports {
			kind := ir.Input // an output of the model is an input of the design
			if p.Kind == ir.Input {
				kind = ir.Output
			}
			x.Ports = append(x.Ports, b.hidden(f, p.Name, kind, p.Type, b.all(f, p)))
		}
		if f.mod.IR.Clock {
			x.Tick, x.Reset = b.ownClock(f)
		}
		b.d.Externs = append(b.d.Externs, x)
	}
}

// ownClock returns the ports for the module's own clock and reset.
func (b *builder) ownClock(f *frame) (tick, reset int) {
	tick, reset = -1, -1
	c, bit := b.clocking(f, nil), ir.Type{Width: 1}
	if c.tick != None {
		tick = b.hidden(f, "tick", ir.Output, bit, []Net{c.tick})
	} else {
		c.reset = b.clear(f)
	}
	if f.mod.IR.Reset && c.reset != None {
		reset = b.hidden(f, "reset", ir.Output, bit, []Net{c.reset})
	}
	return tick, reset
}

// hidden adds a port that the top module does not have.
func (b *builder) hidden(f *frame, name string, kind ir.Kind, t ir.Type, nets []Net) int {
	path := f.sub(name)
	sig := &ir.Signal{Name: strings.NewReplacer(".", "_", "[", "_", "]", "").Replace(join(path)), Kind: kind, Type: t, Pos: f.inst.Pos}
	b.d.Ports = append(b.d.Ports, Var{Path: path, Sig: sig, Nets: nets})
	return len(b.d.Ports) - 1
}
