package gosim

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir/flat"
)

// copyPasses are the passes of a plan of copies: what is short or wide, or of use in some lanes
// only, is so in all copies alike.
var copyPasses = []string{"decodes", "enables", "units", "sinking", "storage"}

// newCopies makes the plan of n copies of a design in which all values have one lane: these
// get a lane for each copy. Ports have no names in Go.
func newCopies(f *flat.Design, n int) *plan {
	p := roll(f)
	p.widen(n)
	for _, x := range passes {
		if slices.Contains(copyPasses, x.name) {
			x.run(p)
		}
	}
	return p
}

// widen gives all values of a plan of single lanes n lanes, of which each is computed from
// the same lane of others.
func (p *plan) widen(n int) {
	wide := func(o operand) operand {
		if o.v != nil {
			o.at = identity
		}
		return o
	}
	for _, v := range p.values {
		v.lanes = n
	}
	for _, x := range p.nodes {
		x.lanes = n
		for i, a := range x.args {
			x.args[i] = wide(a)
		}
		if x.mem != nil {
			x.memAt = identity
		}
	}
	for _, r := range p.regs {
		r.d = wide(r.d)
	}
	for _, m := range p.mems {
		m.lanes = n
		for _, w := range m.writes {
			w.enable, w.addr, w.data = wide(w.enable), wide(w.addr), wide(w.data)
			w.lanes, w.at = n, identity
		}
	}
	for i, refs := range p.outputs {
		for l := 1; l < n && refs != nil; l++ {
			p.outputs[i] = append(p.outputs[i], ref{v: refs[0].v, lane: l, k: refs[0].k})
		}
	}
	for i, port := range p.d.Ports {
		sig := *port.Sig
		sig.Type.Len = n
		p.d.Ports[i].Sig = &sig
	}
}
