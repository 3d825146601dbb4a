package netlist

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Copy is one copy of a scope: its position, and the iteration of each surrounding loop, outermost
// first. Copies with equal Place differ only in Iters; they perform the same operations except for
// constants.
type Copy struct {
	Place string // hierarchy below the top without iteration numbers
	Loops []*ir.For
	Iters []int
}

func (c *Copy) iteration(l *ir.For, i int) *Copy {
	return &Copy{Place: c.Place + "." + l.Name, Loops: append(c.Loops[:len(c.Loops):len(c.Loops)], l), Iters: append(c.Iters[:len(c.Iters):len(c.Iters)], i)}
}

func (c *Copy) instance(in *ir.Instance) *Copy {
	return &Copy{Place: fmt.Sprintf("%s.%s", c.Place, in.Name), Loops: c.Loops, Iters: c.Iters}
}
