package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/hw/ir/flat"
)

// clears gives registers that a condition resets that condition, of one lane if it
// is the same for all. It is computed before the edge and does not change there, and
// costs a test per cycle and condition while it is 0.
func (p *plan) clears() {
	made := map[string]*value{}
	for _, r := range p.regs {
		net := func(l int) flat.Net { return p.d.Regs[r.list[l]].Clear }
		if net(0) == flat.None {
			continue
		}
		lanes := 1
		for l := range r.q.lanes {
			if net(l) != net(0) {
				lanes = r.q.lanes
			}
		}
		o := p.operand(lanes, 1, func(l int) ref { return p.where[net(l)] })
		key := fmt.Sprint(lanes, " ", o.key())
		if made[key] == nil {
			made[key] = p.copied(lanes, 1, o)
			made[key].stored = true
		}
		r.clear = made[key]
	}
}

// cleared are the registers of each condition.
func (p *plan) cleared() [][]*regs {
	var out [][]*regs
	at := map[*value]int{}
	for _, r := range p.regs {
		if r.clear == nil {
			continue
		}
		if _, ok := at[r.clear]; !ok {
			at[r.clear] = len(out)
			out = append(out, nil)
		}
		out[at[r.clear]] = append(out[at[r.clear]], r)
	}
	return out
}

// nonzero is the condition that a one-bit value is 1 in some lane.
func nonzero(v *value) *code.Expr {
	words := make([]*code.Expr, v.bitWords())
	for i := range words {
		words[i] = bitWord(v, code.Int(i))
	}
	return code.All("|", words...).Differs(code.Zero)
}

// clearFunctions prints the reset of registers by conditions.
func (g *generator) clearFunctions(e *emitter) {
	lists := g.cleared()
	if len(lists) == 0 {
		return
	}
	for i, list := range lists {
		e.function(fmt.Sprintf("clear%d()", i), &unit{lanes: 1}, func() {
			e.initial(list, func(r *regs, at, k *code.Expr) { e.store(r.q, at, k) }, func(r *regs, k []*code.Expr) { e.storeLane(r.q, laneL, k) })
			e.setting(markWords(g.commitsOf(list)))
		})
		e.function(fmt.Sprintf("isClear%d() bool", i), &unit{lanes: 1}, func() {
			e.initial(list, func(_ *regs, at, k *code.Expr) { e.failUnless(at.Equal(k)) }, func(r *regs, k []*code.Expr) {
				for i, at := range lane(r.q, laneL) {
					e.failUnless(at.Equal(k[i]))
				}
			})
			e.do(&code.Return{X: code.Name("true")})
		})
	}
	over := func(name, doc string, body func(i int, on *code.Expr), result *code.Expr) {
		g.f("// %s\n", doc)
		e.function(name, &unit{lanes: 1}, func() {
			for i, list := range lists {
				body(i, nonzero(list[0].clear))
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
func (e *emitter) initial(list []*regs, word func(r *regs, at, k *code.Expr), inLane func(r *regs, k []*code.Expr)) {
	clear := list[0].clear
	if clear.lanes == 1 {
		for _, r := range list {
			e.fill(r.q, func(at, k *code.Expr) { word(r, at, k) }, r.init)
		}
		return
	}
	e.maskLoop(clear, func() {
		for _, r := range list {
			inLane(r, constantWords(r.init, r.q.width))
		}
	})
}

// commitsOf are the marks of the commits of registers: when they are cleared no
// more, they take next values that did not change.
func (p *plan) commitsOf(list []*regs) []int {
	var marks []int
	for _, r := range list {
		marks = append(marks, commitMark+p.commits[r.d.v.node.unit])
	}
	return marks
}

// atEdge is what Step does for clears, and what they add to its other conditions.
func (g *generator) atEdge() (clear, clearing, unclear string) {
	if len(g.cleared()) == 0 {
		return "", "", ""
	}
	return "s.clear()\n", " || s.clearing()", " || !s.isClear()"
}
