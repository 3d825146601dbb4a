package verilog

import (
	"cmp"
	"slices"

	"github.com/hotline-rtl/hotline/gen/verilog/build"
	"github.com/hotline-rtl/hotline/gen/verilog/params"
	"github.com/hotline-rtl/hotline/gen/verilog/passes"
	"github.com/hotline-rtl/hotline/gen/verilog/plan"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// generator processes the modules of a design. A module follows the modules that it instantiates.
type generator struct {
	opt      Options
	top      *ir.Module
	used     map[*ir.Module]bool           // is of the design, not only a probe
	variants map[string][]*ir.Module       // by the name of the Verilog module: the design's, then probes
	generics map[string]*generic           // likewise
	trees    map[*ir.Module]*syntax.Module // for values of a parameter
	texts    map[*ir.Module]string         // of modules of their own
	plans    map[*ir.Module]*plan.Module
	paths    map[*ir.Module]plan.Paths
	errs     []error
}

// newGenerator returns a generator for d.
func newGenerator(d *ir.Design, opt Options) *generator {
	g := &generator{opt: opt, top: d.Top, used: map[*ir.Module]bool{},
		variants: map[string][]*ir.Module{}, generics: map[string]*generic{},
		plans: map[*ir.Module]*plan.Module{}, paths: map[*ir.Module]plan.Paths{},
		trees: map[*ir.Module]*syntax.Module{}, texts: map[*ir.Module]string{}}
	for _, m := range d.Modules {
		g.used[m] = true
	}
	for _, m := range slices.Concat(d.Modules, d.Probes) {
		if x := m.Generic; x != nil {
			g.variants[x.Name] = append(g.variants[x.Name], m)
		}
	}
	return g
}

// files returns the files of all modules of d.
func (g *generator) files(d *ir.Design) (out []File) {
	done := map[string]bool{}
	add := func(f File) {
		if done[f.Name] {
			return
		}
		if done[f.Name] = true; len(f.Modules) > 0 {
			f.Memories = g.plans[f.Modules[0]].Memories()
		}
		out = append(out, f)
	}
	for _, m := range d.Modules {
		g.tree(m)
		switch {
		case m.Extern != nil:
			for _, s := range m.Extern.Sources {
				add(File{Name: s.Name, Text: s.Text})
			}
		case g.isMember(m):
			x := g.generics[m.Generic.Name]
			add(File{Name: m.Generic.Name + ".v", Text: x.tree.Text(), Modules: x.members, Generic: x.members[0].Generic})
		default:
			add(File{Name: m.Name + ".v", Text: g.texts[m], Modules: []*ir.Module{m}})
		}
	}
	return out
}

// generic is a Verilog module with a parameter, and the modules that it replaces.
type generic struct {
	tree    *syntax.Module
	members []*ir.Module        // by value, but the top first: its value is the default
	fits    map[*ir.Module]bool // members, and probes that would be
}

// generic finds the Verilog module for modules that differ in a parameter. Those that do not
// fit have a file of their own.
func (g *generator) generic(list []*ir.Module) *generic {
	of := list[0].Generic
	var variants []params.Variant
	for _, m := range list {
		t := g.tree(m)
		t.Name, t.Header = of.Name, header(of.Name, m.Doc, m.Fixed())
		variants = append(variants, params.Variant{Module: m, Tree: t})
	}
	tree, fits, err := params.Find(variants)
	if err != nil {
		g.errs = append(g.errs, err)
	}
	x := &generic{tree: tree, fits: fits}
	for _, m := range list {
		if fits[m] && g.used[m] {
			x.members = append(x.members, m)
		}
	}
	slices.SortFunc(x.members, func(x, y *ir.Module) int { return cmp.Compare(x.Generic.Value, y.Generic.Value) })
	if at := slices.Index(x.members, g.top); at > 0 {
		x.members = slices.Insert(slices.Delete(x.members, at, at+1), 0, g.top)
	}
	if len(x.members) > 0 {
		tree.Param = &syntax.Parameter{Name: of.Param, Value: x.members[0].Generic.Value, Comment: oneLine(meaning(list[0]))}
	}
	return x
}

// meaning returns the documentation of the parameter of m that is its parameter in Verilog.
func meaning(m *ir.Module) string {
	for _, p := range m.Parameters {
		if p.Generic {
			return p.Doc
		}
	}
	return ""
}

// isMember reports whether m is printed as a Verilog module with a parameter. Probes may be
// members, so that probes of the modules around them resemble each other.
func (g *generator) isMember(m *ir.Module) bool {
	if m.Generic == nil {
		return false
	}
	name := m.Generic.Name
	if g.generics[name] == nil {
		g.generics[name] = g.generic(g.variants[name])
	}
	return g.generics[name].fits[m]
}

// tree returns the syntax tree of m, or nil if it is a black box.
func (g *generator) tree(m *ir.Module) *syntax.Module {
	if g.plans[m] != nil {
		return g.trees[m]
	}
	m.Body.Walk(func(s *ir.Scope) {
		for _, in := range s.Insts {
			g.tree(in.Of)
		}
	})
	p := plan.New(m, g.paths, g.opt.PowerUp)
	g.plans[m], g.paths[m] = p, p.CombPaths()
	if m.Extern == nil {
		t := build.Module(p, build.Options{Source: g.opt.Source, Parameter: g.isMember})
		t.Header = header(m.Name, m.Doc, m.Parameters)
		passes.Run(t, nil)
		g.errs = append(g.errs, t.Check()...)
		g.trees[m], g.texts[m] = t, t.Text()
	}
	return g.trees[m]
}
