package cycle

import (
	"fmt"
	"maps"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/lower"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// Copies depend on nothing but themselves. So a block of them, as many as a vector has lanes,
// can go through a whole cycle, or much of it, before the next block: a kernel reads inputs where
// users put them and registers, computes all between, which stays in registers of the
// processor, and writes next values where the present ones were. Other kernels are for
// outputs, and have no effect on state. Nothing is left out because it did not change: with a stimulus
// for each copy, something has changed everywhere.

// Program is the kernels of a part of a cycle, in the order in which they are called.
type Program struct {
	Kernels  []*kernel.Kernel
	Crossing map[*plan.Value]bool // values that a kernel leaves to others
	Rows     [][]*plan.Value      // values that follow each other in memory
}

// Edge returns the kernels of a clock edge of p, of so many copies whose inputs are at some places. An error says why
// there are none.
func Edge(p *plan.Plan, copies int, inputs map[*plan.Value]kernel.Place) (Program, error) {
	c, err := program("edge", edge(p), copies, &layout{map[*plan.Value]*row{}, inputs})
	fetch(c.Kernels, copies, inputs)
	return c, err
}

// Outputs returns the kernels that put outputs at places, by their numbers. Its rows include the rows of the edge. All else
// is as for Edge.
func Outputs(p *plan.Plan, copies int, inputs map[*plan.Value]kernel.Place, places map[int]kernel.Place, edge Program) (Program, error) {
	r := &layout{map[*plan.Value]*row{}, inputs}
	for _, list := range edge.Rows {
		r.add(list)
	}
	return program("outputs", outputs(p, places), copies, r)
}

// program makes kernels that do tasks, of values that are in rows or have no place yet.
func program(name string, t *tasks, copies int, r *layout) (Program, error) {
	phases, err := t.best(copies)
	if err != nil {
		return Program{}, err
	}
	c := Program{Crossing: t.crossing()}
	divided := t.divide(phases, &c, r)
	ports := maps.Clone(r.in)
	for v := range c.Crossing {
		ports[v] = kernel.Place{Part: "between", Field: names.Field(v), Size: v.LaneBits()}
	}
	for i, parts := range divided {
		for n, p := range parts {
			size := phases[i].size
			lo := lower.New(kernel.New(fmt.Sprintf("block_%s%d_%d", name, i, n), copies, size))
			lo.Kernel.Doc = fmt.Sprintf("%s: phase %d of %d of the %s, of %d copies at a time", lo.Kernel.Name, i+1, len(phases), name, 512/size)
			lo.Kernel.Lines = true
			lo.Places = ports
			b := &blocked{lo, c.Crossing}
			b.part(p)
			if b.Err != nil {
				return Program{}, fmt.Errorf("%s: %w", lo.Kernel.Name, b.Err)
			}
			lo.Kernel.Simplify()
			c.Kernels = append(c.Kernels, lo.Kernel)
		}
	}
	return c, nil
}
