package plan

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// copyPasses are the passes for a batch of instances. The other passes depend on lanes that are
// narrow or partly unused, but here all lanes do the same.
var copyPasses = []string{"decodes", "enables", "units", "sinking", "storage"}

// NewCopies returns the plan of n instances of a design in which all values have one lane. Each
// value gets a lane for each instance. Ports have no Go names. The error is as for New.
func NewCopies(f *netlist.Design, n int) (*Plan, error) {
	p, err := rolled(f)
	if err != nil {
		return nil, err
	}
	p.ofCopies = true
	p.widen(n)
	return p, p.pass(func(x Pass) bool { return slices.Contains(copyPasses, x.Name) }, nil)
}

// widen extends all values of a plan of single lanes to n lanes. Each lane is computed from the
// same lane of its operands.
func (p *Plan) widen(n int) {
	wide := func(o Operand) Operand {
		if o.V != nil {
			o.At = Identity
		}
		return o
	}
	for _, v := range p.Values {
		v.Lanes = n
	}
	for _, x := range p.nodes {
		x.Lanes = n
		for i, a := range x.Args {
			x.Args[i] = wide(a)
		}
		if x.Mem != nil {
			x.MemAt = Identity
		}
	}
	for _, r := range p.Regs {
		r.D = wide(r.D)
	}
	for _, m := range p.Mems {
		m.Lanes, m.Copied = n, true
		for _, w := range m.Writes {
			w.Enable, w.Addr, w.Data = wide(w.Enable), wide(w.Addr), wide(w.Data)
			w.Lanes, w.At = n, Identity
		}
	}
	for i, refs := range p.Outputs {
		for l := 1; l < n && refs != nil; l++ {
			p.Outputs[i] = append(p.Outputs[i], Ref{V: refs[0].V, Lane: l, K: refs[0].K})
		}
	}
	for i, port := range p.D.Ports {
		sig := *port.Sig
		sig.Type.Len = n
		p.D.Ports[i].Sig = &sig
	}
}
