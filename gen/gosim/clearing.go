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
			e.initial(list)
			e.setting(markWords(g.CommitsOf(list)))
		})
	}
	over := func(name, doc string, body func(i int), result *code.Expr) {
		g.f("// %s\n", doc)
		e.function(name, &plan.Unit{Lanes: 1}, func() {
			for i, list := range lists {
				e.when(nonzero(list[0].Clear), func() { body(i) })
			}
			if result != nil {
				e.do(&code.Return{X: result})
			}
		})
	}
	over("clear()", "clear resets registers whose condition for that is 1.", func(i int) {
		e.do(&code.Do{X: code.Call(fmt.Sprintf("s.clear%d", i))})
	}, nil)
	over("clearing() bool", "clearing tells whether clear resets any.", func(int) {
		e.do(&code.Return{X: code.Name("true")})
	}, code.Name("false"))
}

// initial gives registers that have one condition their first values, in its lanes.
func (e *emitter) initial(list []*plan.Regs) {
	clear := list[0].Clear
	if clear.Lanes == 1 {
		for _, r := range list {
			e.fill(r.Q, r.Init)
		}
		return
	}
	e.maskLoop(clear, func() {
		for _, r := range list {
			e.storeLane(r.Q, laneL, constantWords(r.Init, r.Q.Width))
		}
	})
}

// fill stores the constant k in every lane of v.
func (e *emitter) fill(v *plan.Value, k []uint64) {
	words := constantWords(k, v.Width)
	switch {
	case v.Bits():
		for i := range v.BitWords() {
			e.store(v, bitWord(v, code.Int(i)), code.Num(-k[0]&plan.Ones(min(64, v.Lanes-64*i))))
		}
	case v.Lanes == 1:
		e.storeLane(v, lane0, words)
	default:
		e.times(laneL, v.Lanes, func() { e.storeLane(v, laneL, words) })
	}
}
