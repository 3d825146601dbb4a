package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// nonzero is the condition that a one-bit value is 1 in some lane.
func nonzero(v *plan.Value) *code.Expr {
	words := make([]*code.Expr, v.BitWords())
	for i := range words {
		words[i] = bitWord(v, code.Int(i))
	}
	return code.All("|", words...).Differs(code.Zero)
}

// clearFunctions prints the reset of registers by conditions.
func (g *generator) clearFunctions(e *emitter) {
	lists := g.Cleared()
	if len(lists) == 0 {
		return
	}
	for i, list := range lists {
		e.function(fmt.Sprintf("clear%d()", i), &plan.Unit{Lanes: 1}, func() {
			e.initial(list, func(r *plan.Regs, at, k *code.Expr) { e.store(r.Q, at, k) }, func(r *plan.Regs, k []*code.Expr) { e.storeLane(r.Q, laneL, k) })
			e.setting(markWords(g.CommitsOf(list)))
		})
		e.function(fmt.Sprintf("isClear%d() bool", i), &plan.Unit{Lanes: 1}, func() {
			e.initial(list, func(_ *plan.Regs, at, k *code.Expr) { e.failUnless(at.Equal(k)) }, func(r *plan.Regs, k []*code.Expr) {
				for i, at := range lane(r.Q, laneL) {
					e.failUnless(at.Equal(k[i]))
				}
			})
			e.do(&code.Return{X: code.Name("true")})
		})
	}
	over := func(name, doc string, body func(i int, on *code.Expr), result *code.Expr) {
		g.f("// %s\n", doc)
		e.function(name, &plan.Unit{Lanes: 1}, func() {
			for i, list := range lists {
				body(i, nonzero(list[0].Clear))
			}
			if result != nil {
				e.do(&code.Return{X: result})
			}
		})
	}
	over("clear()", "clear resets registers whose condition for that is 1.", func(i int, on *code.Expr) {
		e.when(on, func() { e.do(&code.Do{X: code.Call(fmt.Sprintf("s.clear%d", i))}) })
	}, nil)
	over("clearing() bool", "clearing tells whether clear resets any.", func(_ int, on *code.Expr) {
		e.when(on, func() { e.do(&code.Return{X: code.Name("true")}) })
	}, code.Name("false"))
	over("isClear() bool", "isClear tells whether clear changes nothing.", func(i int, on *code.Expr) {
		e.when(on, func() { e.failUnless(code.Call(fmt.Sprintf("s.isClear%d", i))) })
	}, code.Name("true"))
}

// initial calls word for each word of storage of registers that have one condition,
// and what it becomes, or inLane for lane l of each in a loop over the lanes of the
// condition.
func (e *emitter) initial(list []*plan.Regs, word func(r *plan.Regs, at, k *code.Expr), inLane func(r *plan.Regs, k []*code.Expr)) {
	clear := list[0].Clear
	if clear.Lanes == 1 {
		for _, r := range list {
			e.fill(r.Q, func(at, k *code.Expr) { word(r, at, k) }, r.Init)
		}
		return
	}
	e.maskLoop(clear, func() {
		for _, r := range list {
			inLane(r, constantWords(r.Init, r.Q.Width))
		}
	})
}
