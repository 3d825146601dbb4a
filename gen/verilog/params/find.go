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

// Find finds how the trees of modules that differ in a parameter follow from it. Apart from
// sizes, the trees are named and commented alike. Find returns a tree whose sizes follow from
// the parameter (syntax.PerParam). It also returns the modules that fit: with their value in
// place of the parameter, this tree gives exactly their text. Without ir.LeastProbes probes
// there is no tree. An error describes how the texts of the probes differ in more than sizes.
// The trees in list are changed: one becomes the result, and hints for tools become the same
// in all that fit.
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

// resembles reports whether the modules of s and t may differ only in sizes.
func (s *sizes) resembles(t *sizes) bool {
	return len(s.counts) == len(t.counts) && len(s.numbers) == len(t.numbers) && len(s.objects) == len(t.objects)
}
