package gosim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/guard"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/split"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// MaxCopies is the greatest number of copies of a design in a model, that of the lanes of the longest vectors. More
// are several models, one after the other, as the state of one stays in a processor's caches then.
const MaxCopies = 64

// CheckCopies tells what is wrong with a number of copies.
func CheckCopies(n int) error {
	if n < 2 || n > MaxCopies {
		return fmt.Errorf("gosim: %d copies; there can be 2 to %d in a model, and any number in a batch of models", n, MaxCopies)
	}
	return nil
}

// GenerateCopies makes a package as Generate does, of n copies of d that run side by side:
// a lane of every value for each copy. Ports are arrays by copy.
func GenerateCopies(d *ir.Design, n int, pkg string) (files []File, err error) {
	defer guard.Recover(func() string { return "of the copies" }, &err)
	if err := errors.Join(CheckName(pkg), CheckCopies(n)); err != nil {
		return nil, err
	}
	c, p, err := copiesOf(d, n)
	if err != nil {
		return nil, err
	}
	return formatted(&generator{Plan: p, design: d, pkg: pkg, copies: c})
}

// copies is what a plan of copies of a design comes from.
type copies struct {
	n     int
	of    *netlist.Design
	split *split.Design
	names []string // of the ports of a copy
}

func copiesOf(d *ir.Design, n int) (*copies, *plan.Plan, error) {
	f, err := plan.Flatten(d)
	if err != nil {
		return nil, nil, err
	}
	s, err := split.Words(f)
	if err != nil {
		return nil, nil, fmt.Errorf("gosim: %w", err)
	}
	c := &copies{n: n, of: f, split: s}
	p, err := plan.NewCopies(s.Design, n)
	if err != nil {
		return nil, nil, err
	}
	c.name(p)
	return c, p, nil
}

// name finds Go names: of the ports of a copy, and for each array by copy that such a port
// consists of.
func (c *copies) name(p *plan.Plan) {
	c.names = plan.PortNames(c.of)
	p.Names = make([]string, len(p.D.Ports))
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
				p.D.Ports[port].Sig.Name, p.Names[port] = x, go_
			}
		}
	}
	if r := c.split.Reset; r >= 0 {
		p.Names[r] = "Rst"
		for slices.Contains(c.names, p.Names[r]) {
			p.Names[r] += "_"
		}
	}
}
