package gosim

import (
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// stored is a group of registers, or of memories, that are alike, as users see them.
type stored struct {
	paths  string // as fields of a model.Group
	width  int
	depth  int
	fixed  bool
	regs   []*plan.Regs // that have the words of the registers
	mem    *plan.Memory // or nil
	stride int          // addresses of a word of the memory
}

// stored are the groups, registers first.
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
