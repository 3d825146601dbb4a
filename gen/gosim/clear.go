package gosim

import (
	"fmt"
	"strings"

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

// on is the Go condition that a one-bit value is 1 in some lane.
func (v *value) on() string {
	if v.lanes <= 64 {
		return v.field() + " != 0"
	}
	return fmt.Sprintf("%s != (%s{})", v.field(), v.goType())
}

// clearFunctions prints the reset of registers by conditions.
func (g *generator) clearFunctions(e *emitter) {
	lists := g.cleared()
	if len(lists) == 0 {
		return
	}
	var calls, any, holds strings.Builder
	for i, list := range lists {
		on := list[0].clear.on()
		fmt.Fprintf(&calls, "if %s {\ns.clear%d()\n}\n", on, i)
		fmt.Fprintf(&any, "if %s {\nreturn true\n}\n", on)
		fmt.Fprintf(&holds, "if %s && !s.isClear%d() {\nreturn false\n}\n", on, i)
		e.function(fmt.Sprintf("clear%d()", i), &unit{lanes: 1}, func() {
			e.initial(list, func(r *regs, at, k string) { e.store(r.q, at, k) }, func(r *regs, k []string) { e.storeLane(r.q, "l", k) })
			e.f("%s", markCode(g.commitsOf(list)))
		})
		e.function(fmt.Sprintf("isClear%d() bool", i), &unit{lanes: 1}, func() {
			differs := func(at, k string) { e.f("if %s != %s {\nreturn false\n}\n", at, k) }
			e.initial(list, func(_ *regs, at, k string) { differs(at, k) }, func(r *regs, k []string) {
				for i, at := range r.q.lane("l", -1) {
					differs(at, k[i])
				}
			})
			e.f("return true\n")
		})
	}
	g.f("// clear resets registers whose condition for that is 1.\nfunc (s *Model) clear() {\n%s}\n\n", calls.String())
	g.f("// clearing tells whether clear resets any.\nfunc (s *Model) clearing() bool {\n%sreturn false\n}\n\n", any.String())
	g.f("// isClear tells whether clear changes nothing.\nfunc (s *Model) isClear() bool {\n%sreturn true\n}\n\n", holds.String())
}

// initial calls word for each word of storage of registers that have one condition,
// and what it becomes, or lane for lane l of each in a loop over the lanes of the
// condition.
func (e *emitter) initial(list []*regs, word func(r *regs, at, k string), lane func(r *regs, k []string)) {
	clear := list[0].clear
	if clear.lanes == 1 {
		for _, r := range list {
			e.fill(r.q, func(at string, k uint64) { word(r, at, hex(k)) }, r.init)
		}
		return
	}
	end := e.maskLoop(clear)
	for _, r := range list {
		lane(r, constWords(r.init, r.q.width))
	}
	e.f("%s", strings.Repeat("}\n", end))
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
