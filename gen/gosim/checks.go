package gosim

import (
	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
)

func (g *generator) checkFunctions() {
	var fails []*code.Expr
	for _, c := range g.Checks {
		for i := range c.Fail.BitWords() {
			fails = append(fails, storage.BitWord(c.Fail, code.Int(i)).Differs(code.Zero))
		}
	}
	report := "failed()"
	if g.copies != nil {
		g.copiedChecks()
		report = "broken(nil)"
	}
	if len(fails) == 0 {
		g.f("func (s *Model) check() error { return nil }\n")
		return
	}
	g.f("// check is the first assertion that fails.\nfunc (s *Model) check() error {\nif %s {\nreturn s.%s\n}\nreturn nil\n}\n\n", code.All("||", fails...), report)
	if g.copies != nil {
		return
	}
	g.f("func (s *Model) failed() error {\nfirst := len(assertions)\n")
	for _, c := range g.Checks {
		for l, i := range c.List {
			g.f("if %s != 0 {\nfirst = min(first, %d)\n}\n", storage.Lane(c.Fail, code.Int(l))[0], i)
		}
	}
	g.f("a := assertions[first]\na.Cycle = s.cycle\nreturn &a\n}\n\nvar assertions = [...]sim.AssertionError{\n")
	for _, c := range g.D.Checks {
		g.f("{Path: %q, Text: %q},\n", c.Path, c.Text)
	}
	g.f("}\n")
}

// copiedChecks prints the function that finds the instances that violate assertions.
func (g *generator) copiedChecks() {
	g.f("// broken joins the assertions that copies break to those before.\nfunc (s *Model) broken(failed sim.Failures) sim.Failures {\n")
	for i, c := range g.Checks {
		g.f("failed = failed.Add(%s, &assertions[%d], s.cycle)\n", storage.BitWord(c.Fail, code.Int(0)), i)
	}
	g.f("return failed\n}\n\n")
	if len(g.Checks) == 0 {
		return
	}
	g.f("var assertions = [...]sim.AssertionError{\n")
	for _, c := range g.Checks {
		x := g.D.Checks[c.List[0]]
		g.f("{Path: %q, Text: %q},\n", x.Path, x.Text)
	}
	g.f("}\n")
}
