package cycle

import (
	"fmt"
	"maps"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/lower"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// Instances are independent of each other. A block of them, as many as a vector has lanes, can
// therefore run a whole cycle, or much of it, before the next block. A kernel reads inputs in place
// and registers, keeps intermediate values in processor registers, and overwrites the present
// values of registers with the next values. Other kernels compute outputs without effect on the
// state. Kernels do not skip unchanged values: with a stimulus for each instance, something has
// changed everywhere.

// Program contains the kernels of a part of a cycle, in the order of their calls.
type Program struct {
	Kernels  []*kernel.Kernel
	Crossing map[*plan.Value]bool // values that a kernel passes to other kernels
	Rows     [][]*plan.Value      // values that are contiguous in memory
}

// Edge returns the kernels of a clock edge of p, for a batch of instances whose inputs are at the
// given places. The error says why there are none.
func Edge(p *plan.Plan, copies int, inputs map[*plan.Value]kernel.Place) (Program, error) {
	c, err := program("edge", edge(p), copies, &layout{map[*plan.Value]*row{}, inputs})
	fetch(c.Kernels, copies, inputs)
	return c, err
}

// Outputs returns the kernels that store outputs at places, by port number. Its rows include the
// rows of the edge. Otherwise it is like Edge.
func Outputs(p *plan.Plan, copies int, inputs map[*plan.Value]kernel.Place, places map[int]kernel.Place, edge Program) (Program, error) {
	r := &layout{map[*plan.Value]*row{}, inputs}
	for _, list := range edge.Rows {
		r.add(list)
	}
	return program("outputs", outputs(p, places), copies, r)
}

// program returns kernels that perform tasks. Values are in rows or have no place yet.
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
