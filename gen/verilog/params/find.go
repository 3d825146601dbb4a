package params

import (
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Variant is a module for one value of its parameter, and its syntax tree.
type Variant struct {
	Module *ir.Module
	Tree   *syntax.Module
}

// Find finds how the trees of modules that differ in a parameter follow from it. It returns
// a tree whose sizes follow from the parameter (perParam), and the modules whose text this
// tree gives, letter by letter, if their value stands in place of the parameter. There is
// none if list has fewer probes than ir.LeastProbes. The error says where the texts of the
// probes differ in more than sizes.
func Find(list []Variant) (tree *syntax.Module, fits map[*ir.Module]bool, err error) {
	var basis []Variant
	var texts []string // of basis
	for _, v := range list {
		if v.Module.Generic.Probe {
			basis, texts = append(basis, v), append(texts, v.Tree.Text())
		}
	}
	if len(basis) < ir.LeastProbes {
		return nil, nil, nil
	}
	f := newFit(basis)
	if f == nil {
		return nil, nil, differs(basis, texts)
	}
	fits = map[*ir.Module]bool{}
	for _, v := range list {
		fits[v.Module] = f.holds(v)
	}
	f.set(syntax.PerParam)
	return f.tree, fits, nil
}

// resembles tells whether the sizes are of modules that may differ in nothing else.
func (s *sizes) resembles(t *sizes) bool {
	return len(s.counts) == len(t.counts) && len(s.numbers) == len(t.numbers) && len(s.objects) == len(t.objects)
}
