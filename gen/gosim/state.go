package gosim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// state prints the access to registers and memories by path, and the methods that query registers
// at an edge.
func (g *generator) state() {
	stored := g.stored()
	g.f("// groups are the registers and memories, and where they are in the state.\nvar groups = [...]model.Group{\n")
	for _, x := range stored {
		g.f("{%s, Width: %d%s},\n", x.paths, x.width, x.place(g.Immediate))
	}
	g.f("}\n\nvar states = model.NewStates(groups[:], reflect.TypeFor[state]())\n\n")
	g.f("// committed are the groups of registers of each commit.\nvar committed = [][]int{\n")
	number := map[*plan.Regs]int{}
	for i, x := range stored {
		for _, r := range x.regs {
			number[r] = i
		}
	}
	for _, list := range g.Committed() {
		var groups []string
		for _, r := range list {
			groups = append(groups, strconv.Itoa(number[r]))
		}
		g.f("{%s},\n", strings.Join(slices.Compact(groups), ", "))
	}
	g.f("}\n\nconst (\ntop = %q\nhasReset = %t\n)\n\n", g.design.Top.Name, g.design.Top.Reset)
	g.fill("states", frame{})
}

// place returns the position of the registers or the memory of x in the state, as fields of a
// model.Group.
func (x stored) place(whole bool) string {
	if m := x.mem; m != nil {
		size := plan.ElemBits(m.Width) * ir.Words(m.Width)
		text := fmt.Sprintf(", Depth: %d", x.depth)
		if x.fixed {
			text += ", Fixed: true"
		}
		word, lane := m.Steps()
		return text + fmt.Sprintf(", Memory: model.Memory{At: \"m%d\", Lane: %d, Size: %d, Stride: %d}", m.ID, lane, size, x.stride*word)
	}
	regs := make([]string, len(x.regs))
	for i, r := range x.regs {
		regs[i] = regText(r, whole)
	}
	return fmt.Sprintf(", Registers: []model.Reg{%s}", strings.Join(regs, ", "))
}

// regText formats r as a model.Reg. If the design is evaluated as a whole, edges need no next value.
func regText(r *plan.Regs, whole bool) string {
	size := r.Q.Stride()
	if size == 0 {
		size = 64 * r.Q.Words()
	}
	text := fmt.Sprintf("{Q: %q", names.Field(r.Q))
	if !whole {
		text += fmt.Sprintf(", D: %q", names.Field(r.D.V))
	}
	text += fmt.Sprintf(", Lanes: %d, Size: %d", r.Q.Lanes, size)
	if r.Mask != nil && !whole {
		text += ", Mask: " + conditionText(r.Mask)
	}
	if r.Clear != nil && !whole {
		text += ", Clear: " + conditionText(r.Clear)
	}
	if r.Init != nil {
		words := make([]string, r.Q.Words())
		for i := range words {
			words[i] = code.Hex(r.Init[i])
		}
		text += fmt.Sprintf(", Init: []uint64{%s}", strings.Join(words, ", "))
	}
	return text + "}"
}

func conditionText(v *plan.Value) string {
	return fmt.Sprintf("model.Condition{At: %q, Lanes: %d}", names.Field(v), v.Lanes)
}

// stored is a group of similar registers or memories, as users see them.
type stored struct {
	paths  string // as fields of a model.Group
	width  int
	depth  int
	fixed  bool
	regs   []*plan.Regs // registers of the plan that hold the words
	mem    *plan.Memory // or nil
	stride int          // number of addresses that a word of the memory takes
}

// stored returns the groups, registers first.
func (g *generator) stored() []stored {
	if g.copies != nil {
		return g.copies.stored(g.Plan)
	}
	var out []stored
	for _, r := range g.Regs {
		paths := make([]string, len(r.List))
		for l, i := range r.List {
			paths[l] = g.D.Regs[i].Path
		}
		out = append(out, stored{paths: pathsText(paths), width: r.Q.Width, regs: []*plan.Regs{r}})
	}
	for _, m := range g.Mems {
		paths := make([]string, len(m.List))
		for l, i := range m.List {
			paths[l] = g.D.Mems[i].Path
		}
		out = append(out, stored{paths: pathsText(paths), width: m.Width, depth: m.Depth, fixed: m.Init != nil, mem: m, stride: 1})
	}
	return out
}

// stored returns the groups of the batch: one for each register and memory of the design.
func (c *copies) stored(p *plan.Plan) []stored {
	of := make([]*plan.Regs, len(p.D.Regs))
	for _, r := range p.Regs {
		of[r.List[0]] = r
	}
	paths := func(path string) string {
		return fmt.Sprintf("Pattern: %q, Dims: []int{%d}", "copy[]."+path, c.n)
	}
	var out []stored
	for i, words := range c.split.Regs {
		x := stored{paths: paths(c.of.Regs[i].Path), width: int(c.of.Width[c.of.Regs[i].Q])}
		for _, n := range words {
			x.regs = append(x.regs, of[n])
		}
		out = append(out, x)
	}
	for i, m := range c.of.Mems {
		out = append(out, stored{paths: paths(m.Path), width: m.IR.Width, depth: m.IR.Depth, fixed: m.IR.Init != nil, mem: p.MemAt[i].M, stride: c.split.Strides[i]})
	}
	return out
}
