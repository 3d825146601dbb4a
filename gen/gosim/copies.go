package gosim

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/split"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// copies describes a batch of instances: the design, and the design split into words, from which
// the plan is built.
type copies struct {
	n     int
	of    *netlist.Design
	split *split.Design
	names []string // Go names of the ports of an instance
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

// name sets the Go names: of the ports of an instance, and of the arrays, indexed by instance, of
// which each port consists.
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
