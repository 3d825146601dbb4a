package funcs

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
)

// clearFunctions prints the functions that perform conditional resets of registers.
func (e *Printer) clearFunctions() {
	lists := e.p.Cleared()
	if len(lists) == 0 {
		return
	}
	for i, list := range lists {
		e.function(fmt.Sprintf("clear%d()", i), &plan.Unit{Lanes: 1}, func() {
			e.initial(list)
			e.setting(markWords(e.p.CommitsOf(list)))
		})
	}
	over := func(name, doc string, body func(i int), result *code.Expr) {
		e.f("// %s\n", doc)
		e.function(name, &plan.Unit{Lanes: 1}, func() {
			for i, list := range lists {
				e.When(storage.Nonzero(list[0].Clear), func() { body(i) })
			}
			if result != nil {
				e.Do(&code.Return{X: result})
			}
		})
	}
	over("clear()", "clear resets registers whose condition for that is 1.", func(i int) {
		e.Do(&code.Do{X: code.Call(fmt.Sprintf("s.clear%d", i))})
	}, nil)
	over("clearing() bool", "clearing tells whether clear resets any.", func(int) {
		e.Do(&code.Return{X: code.Name("true")})
	}, code.Name("false"))
}

// initial stores the initial values of registers with a common reset condition, in the lanes of the
// condition.
func (e *Printer) initial(list []*plan.Regs) {
	clear := list[0].Clear
	if clear.Lanes == 1 {
		for _, r := range list {
			e.fill(r.Q, r.Init)
		}
		return
	}
	e.maskLoop(clear, func() {
		for _, r := range list {
			e.storeLane(r.Q, storage.LaneL, storage.Constant(r.Init, r.Q.Width))
		}
	})
}

// fill stores the constant k in every lane of v.
func (e *Printer) fill(v *plan.Value, k []uint64) {
	words := storage.Constant(k, v.Width)
	switch {
	case v.Bits():
		for i := range v.BitWords() {
			e.store(v, storage.BitWord(v, code.Int(i)), code.Num(-k[0]&plan.Ones(min(64, v.Lanes-64*i))))
		}
	case v.Lanes == 1:
		e.storeLane(v, storage.Lane0, words)
	default:
		e.Times(storage.LaneL, v.Lanes, func() { e.storeLane(v, storage.LaneL, words) })
	}
}
