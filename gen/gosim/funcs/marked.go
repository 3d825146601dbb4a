package funcs

import (
	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// PrintEvaluate prints the function that evaluates units.
func (e *Printer) PrintEvaluate() {
	e.f("\n// evaluate evaluates dirty units in order: a unit makes only later units dirty.\nfunc (s *Model) evaluate() {\n")
	e.eachMarked("dirty", len(e.p.Units)+1, func(i int) string {
		if i == len(e.p.Units) {
			return "outputs"
		}
		return names.Unit(e.p.Units[i])
	})
	e.f("}\n\n")
}

// eachMarked prints the calls of n methods, each if its bit in a field is set, and clears the
// field. Straight-line code is faster than a loop over the set bits with indirect calls, because a
// processor predicts each branch separately.
func (e *Printer) eachMarked(field string, n int, method func(int) string) {
	const group = 8
	for i := range n {
		w, b := i/64, i%64
		if b == 0 {
			e.f("if s.%s[%d] != 0 {\n", field, w)
		}
		if n > group && b%group == 0 {
			e.f("if s.%s[%d]&%s != 0 {\n", field, w, code.Hex(plan.Ones(group)<<b))
		}
		if n > 1 {
			e.f("if s.%s[%d]&%s != 0 {\ns.%s()\n}\n", field, w, code.Hex(1<<b), method(i))
		} else {
			e.f("s.%s()\n", method(i))
		}
		if n > group && (b%group == group-1 || i == n-1) {
			e.f("}\n")
		}
		if b == 63 || i == n-1 {
			e.f("s.%s[%d] = 0\n}\n", field, w)
		}
	}
}
