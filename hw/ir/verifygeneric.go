package ir

import "slices"

// generics checks that modules with the same name in Verilog differ in their parameter. The common
// name may be the name of one of them.
func (v *verifier) generics(all []*Module) {
	first, names := map[string]*Module{}, map[string]*Module{}
	for _, m := range all {
		names[m.Name] = m
	}
	type value struct {
		name string
		n    int
	}
	seen := map[value]bool{}
	for _, m := range all {
		g := m.Generic
		if g == nil {
			continue
		}
		v.mod = m
		switch same := first[g.Name]; {
		case !legalName.MatchString(g.Name) || Keyword(g.Name) || !g.mayBe(names[g.Name]) || v.foreign[g.Name]:
			v.errorf(m.Pos, "generic %q: not a legal name, or the name of another module", g.Name)
		case !foreignName.MatchString(g.Param) || Keyword(g.Param):
			v.errorf(m.Pos, "generic %q: parameter %q: not a legal name", g.Name, g.Param)
		case same != nil && (same.Generic.Param != g.Param || !slices.Equal(same.Fixed(), m.Fixed())):
			v.errorf(m.Pos, "generic %q: modules differ in more than a value of %s", g.Name, same.Generic.Param)
		case seen[value{g.Name, g.Value}]:
			v.errorf(m.Pos, "generic %q: two modules for %s = %d", g.Name, g.Param, g.Value)
		}
		first[g.Name], seen[value{g.Name, g.Value}] = m, true
	}
}

// mayBe reports whether other may have the name of g: there is no other, or it is one of the modules
// that g names.
func (g *Generic) mayBe(other *Module) bool {
	return other == nil || other.Generic != nil && other.Generic.Name == g.Name
}
