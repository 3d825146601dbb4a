package gosim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/split"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/flat"
	"github.com/hotline-rtl/hotline/hw/ir/net"
)

// MaxCopies is the greatest number of copies of a design in a model.
const MaxCopies = 1024

// CheckCopies tells what is wrong with a number of copies.
func CheckCopies(n int) error {
	if n < 2 || n > MaxCopies || n > 64 && n%64 != 0 {
		return fmt.Errorf("gosim: %d copies; there can be 2 to 64, or a multiple of 64 up to %d", n, MaxCopies)
	}
	return nil
}

// GenerateCopies makes a package as Generate does, of n copies of d that run side by side:
// a lane of every value for each copy. Ports are arrays by copy.
func GenerateCopies(d *ir.Design, n int, pkg string) ([]File, error) {
	if err := errors.Join(CheckName(pkg), CheckCopies(n)); err != nil {
		return nil, err
	}
	c, p, err := copiesOf(d, n)
	if err != nil {
		return nil, err
	}
	return formatted(&generator{plan: p, design: d, pkg: pkg, copies: c})
}

// copies is what a plan of copies of a design comes from.
type copies struct {
	n     int
	of    *flat.Design
	split *split.Design
	names []string // of the ports of a copy
}

func copiesOf(d *ir.Design, n int) (*copies, *plan, error) {
	lowered, problems := net.Lower(d)
	if err := ir.Join(problems); err != nil {
		return nil, nil, err
	}
	f, problems := flat.Flatten(lowered)
	if err := ir.Join(problems); err != nil {
		return nil, nil, err
	}
	s, err := split.Words(f)
	if err != nil {
		return nil, nil, fmt.Errorf("gosim: %w", err)
	}
	c := &copies{n: n, of: f, split: s}
	p := roll(s.Design)
	p.widen(n)
	c.name(p)
	p.undecode()
	p.enables()
	p.schedule()
	p.sink()
	p.storage()
	return c, p, nil
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

// name finds Go names: of the ports of a copy, and for each array by copy that such a port
// consists of.
func (c *copies) name(p *plan) {
	q := &plan{d: c.of}
	q.name()
	c.names = q.names
	p.names = make([]string, len(p.d.Ports))
	for i, elements := range c.split.Ports {
		sig := c.of.Ports[i].Sig
		for l, words := range elements {
			for k, port := range words {
				x, go_ := sig.Name, c.names[i]
				if sig.Type.IsVec() {
					x, go_ = fmt.Sprintf("%s[%d]", x, l), fmt.Sprintf("%s[%d]", go_, l)
				}
				if len(words) > 1 {
					x, go_ = fmt.Sprintf("%s.%d", x, k), fmt.Sprintf("%s[%d]", go_, k)
				}
				p.d.Ports[port].Sig.Name, p.names[port] = x, go_
			}
		}
	}
	if r := c.split.Reset; r >= 0 {
		p.names[r] = "Rst"
		for slices.Contains(c.names, p.names[r]) {
			p.names[r] += "_"
		}
	}
}
