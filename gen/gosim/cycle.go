package gosim

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/cycle"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel/avx512"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// placesOf returns the memory places of the ports of a kind, by port number.
func (c *copies) placesOf(p *plan.Plan, kind ir.Kind) map[int]kernel.Place {
	side := map[ir.Kind]string{ir.Input: "In", ir.Output: "Out"}[kind]
	out := map[int]kernel.Place{}
	for i, elements := range c.split.Ports {
		sig := c.of.Ports[i].Sig
		if sig.Kind != kind {
			continue
		}
		size, at := plan.ElemBits(min(64, sig.Type.Width)), 0
		for _, port := range slices.Concat(elements...) {
			out[port] = kernel.Place{Part: side, Field: c.names[i], Bytes: at, Size: size, Away: kind == ir.Input}
			at += c.n * size / 8
		}
	}
	if r := c.split.Reset; r >= 0 && kind == ir.Input {
		out[r] = kernel.Place{Part: side, Field: p.Names[r], Size: 8, Away: true}
	}
	return out
}

// cycleKernels contains the names of the kernels for whole cycles, and the values that they pass to
// each other.
type cycleKernels struct {
	edge, outputs []string
	between       []*plan.Value
	rows          [][]*plan.Value // values that are contiguous in memory
}

// cycle returns the kernels for whole cycles, or nil if there are none. If there are, units have no
// kernels for the same target.
func (g *generator) cycle() *cycleKernels {
	g.funcs.Doing = func() string { return "kernels of whole cycles" }
	c, out := g.copies, &cycleKernels{}
	inputs := map[*plan.Value]kernel.Place{}
	for i, at := range c.placesOf(g.Plan, ir.Input) {
		inputs[g.Inputs[i]] = at
	}
	edge, err := cycle.Edge(g.Plan, c.n, inputs)
	if err != nil {
		return nil
	}
	outputs, err := cycle.Outputs(g.Plan, c.n, inputs, c.placesOf(g.Plan, ir.Output), edge)
	if err != nil {
		return nil
	}
	if !g.funcs.Reserve(avx512.Target{}, slices.Concat(edge.Kernels, outputs.Kernels)) {
		return nil
	}
	out.rows = outputs.Rows
	out.edge, out.outputs = namesOf(edge.Kernels), namesOf(outputs.Kernels)
	for _, bits := range []bool{false, true} { // words of lanes should not cross cache lines
		for _, v := range g.Values {
			if (edge.Crossing[v] || outputs.Crossing[v]) && v.Bits() == bits {
				out.between = append(out.between, v)
			}
		}
	}
	return out
}

// namesOf returns the function names of kernels.
func namesOf(kernels []*kernel.Kernel) (names []string) {
	for _, k := range kernels {
		names = append(names, k.Name)
	}
	return names
}

// fields returns the fields for the values that kernels pass to each other, padded to whole cache
// lines.
func (x *cycleKernels) fields() (out []string) {
	size := 0
	for _, row := range x.together(x.between) {
		for _, v := range row {
			out = append(out, fmt.Sprintf("%s %s", names.Field(v), storage.Type(v)))
			size += max(v.Lanes*v.LaneBits()/8, 8*v.BitWords())
		}
		out = append(out, apart(row[0])...)
	}
	return append(out, fmt.Sprintf("_ [%d]byte", kernel.Beyond+63-(size+63)%64))
}

// together groups values: all values of a row in the order of the row, any other value alone.
// Without kernels there are no rows.
func (x *cycleKernels) together(values []*plan.Value) (out [][]*plan.Value) {
	rowOf, at := map[*plan.Value]int{}, map[int]int{}
	if x != nil {
		for n, row := range x.rows {
			for _, v := range row {
				rowOf[v] = n + 1
			}
		}
	}
	for _, v := range values {
		n := rowOf[v]
		if i, ok := at[n]; ok && n > 0 {
			out[i] = append(out[i], v)
			continue
		}
		at[n] = len(out)
		out = append(out, []*plan.Value{v})
	}
	for _, list := range out {
		if n := rowOf[list[0]]; n > 0 {
			row := x.rows[n-1]
			slices.SortFunc(list, func(v, w *plan.Value) int { return slices.Index(row, v) - slices.Index(row, w) })
		}
	}
	return out
}

// apart returns a padding field after an array of many cache lines, so that the same lanes of
// different arrays do not map to a few cache sets. Shorter arrays need no padding.
func apart(v *plan.Value) []string {
	if bytes := v.Lanes * v.LaneBits() / 8; bytes < 512 {
		return nil
	}
	return []string{"_ [64]byte"}
}
