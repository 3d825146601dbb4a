package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/lower"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// edge prints what happens at a clock edge.
func (g *generator) edge(e *emitter) {
	g.commitFunctions(e)
	g.writeFunctions(e)
	g.clearFunctions(e)
	g.checkFunctions()
}

// committed are the registers of each commit.
func (g *generator) committed() [][]*plan.Regs {
	out := make([][]*plan.Regs, len(g.Commits))
	for _, r := range g.Regs {
		i := g.Commits[r.D.V.Node.Unit]
		out[i] = append(out[i], r)
	}
	return out
}

func (g *generator) commitFunctions(e *emitter) {
	committed := g.committed()
	g.f("// commit gives registers their next values.\nfunc (s *Model) commit() {\n")
	g.eachMarked("commits", len(committed), func(i int) string { return names.Commit(i, committed[i]) })
	g.f("}\n\n")
	for i, list := range committed {
		e.function(names.Commit(i, list)+"()", &plan.Unit{Lanes: 1}, func() {
			for n, l := range vectorsOf(list) {
				e.either(func() ([]*kernel.Kernel, error) {
					return lower.Registers(fmt.Sprintf("vector%d_%s", n, names.Commit(i, l)), l, e.group)
				}, func() { e.copies(l) })
			}
		})
	}
}

// copies gives registers their next values.
func (e *emitter) copies(list []*plan.Regs) {
	for _, l := range byMask(list) {
		if l[0].Mask != nil {
			e.copyMasked(l)
		} else {
			e.copyLanes(l[0].Q, field(l[0].D.V))
		}
	}
}

// mostCopies is the greatest number of registers of a kernel.
const mostCopies = 8

// vectorsOf puts registers together that one kernel can copy, and those that none can.
func vectorsOf(list []*plan.Regs) [][]*plan.Regs {
	var out [][]*plan.Regs
	at := map[[2]int]int{}
	for _, r := range list {
		kind := [2]int{r.Q.Lanes, r.Q.LaneBits()}
		if r.Q.LaneBits() == 0 || r.Mask != nil && r.Mask.Lanes != r.Q.Lanes {
			kind = [2]int{}
		}
		i, ok := at[kind]
		if !ok || kind != [2]int{} && len(out[i]) == mostCopies {
			i = len(out)
			at[kind] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	return out
}

// byMask puts registers with the same mask together.
func byMask(list []*plan.Regs) [][]*plan.Regs {
	var out [][]*plan.Regs
	at := map[*plan.Value]int{}
	for _, r := range list {
		if i, ok := at[r.Mask]; ok && r.Mask != nil {
			out[i] = append(out[i], r)
			continue
		}
		at[r.Mask] = len(out)
		out = append(out, []*plan.Regs{r})
	}
	return out
}

// maskLoop has body done in the lanes of a mask, l being the lane.
func (e *emitter) maskLoop(mask *plan.Value, body func()) {
	switch inner := e.within(body); {
	case mask.Lanes == 1:
		e.do(&code.If{Cond: field(mask).Differs(code.Zero), Then: inner})
	case mask.Lanes <= 64:
		e.do(&code.Bits{Mask: maskM, X: field(mask), Bit: laneL, Body: inner})
	default:
		lanes := &code.Bits{Mask: maskM, Bit: laneL, Base: wordI.Mul(code.Int(64)), Body: inner}
		e.do(&code.Range{Index: wordI, Elem: maskM, N: field(mask), Body: []code.Stmt{lanes}})
	}
}

// copyMasked stores the next values of registers in the lanes of their mask, in
// several lanes at a time where they are small.
func (e *emitter) copyMasked(list []*plan.Regs) {
	mask := list[0].Mask
	if list[0].Q.Lanes == 1 { // what is taken mostly differs
		e.maskLoop(mask, func() {
			for _, r := range list {
				e.note(e.p.Readers[r.Q], code.Int(1))
				e.put(field(r.Q), field(r.D.V))
			}
		})
		return
	}
	bySize := map[int][]*plan.Regs{}
	for _, r := range list {
		size := r.Q.LaneBits()
		if size > 16 || r.Q.Lanes*size%64 != 0 {
			size = 0
		}
		bySize[size] = append(bySize[size], r)
	}
	for _, size := range []int{8, 16} {
		if len(bySize[size]) > 0 {
			e.copyPacked(bySize[size], size)
		}
	}
	if len(bySize[0]) == 0 {
		return
	}
	e.maskLoop(mask, func() {
		for _, r := range bySize[0] {
			e.storeLane(r.Q, laneL, lane(r.D.V, laneL))
		}
	})
}

// copyPacked is copyMasked for registers of lanes of size bits.
func (e *emitter) copyPacked(list []*plan.Regs, size int) {
	mask, each, all := list[0].Mask, 64/size, code.Name("all")
	words := e.within(func() {
		e.do(&code.Define{Name: maskM, X: code.Call(fmt.Sprintf("model.Spread%d", size), code.Op(">>", all, bitNumber(wordI.Mul(code.Int(each)))))})
		for _, r := range list {
			p := e.number(wordIn(r.Q, wordI))
			d := e.set(p.Pointed().Xor(wordIn(r.D.V, wordI).Pointed()).And(maskM))
			e.note(e.p.Readers[r.Q], d)
			e.do(&code.Assign{To: p.Pointed(), Operator: "^=", X: d})
		}
	})
	if mask.Lanes <= 64 {
		e.do(&code.If{Init: &code.Define{Name: all, X: field(mask)}, Cond: all.Differs(code.Zero),
			Then: []code.Stmt{&code.Range{Index: wordI, N: code.Int(mask.Lanes / each), Body: words}}})
		return
	}
	first := wordW.Mul(code.Int(size))
	e.do(&code.Range{Index: wordW, Elem: all, N: field(mask), Body: []code.Stmt{
		&code.If{Cond: all.Differs(code.Zero), Then: []code.Stmt{
			&code.Count{Index: wordI, From: first, To: first.Add(code.Int(size)), Step: 1, Body: words}}}}})
}

// copyLanes stores all of the array src in v, of the same type.
func (e *emitter) copyLanes(v *plan.Value, src *code.Expr) {
	switch {
	case v.Bits() && v.Lanes > 64:
		e.copyWords(v, src, v.BitWords())
	case v.Bits(), v.Lanes == 1 && v.Width <= 64:
		e.store(v, field(v), src)
	case v.Lanes > 1: // several lanes at a time
		e.copyLanesOf(v, src)
	case v.Words() > fewWords:
		e.copyWords(v, src, v.Words())
	case v.Width > 64:
		e.storeLane(v, lane0, elements(src, v.Words()))
	}
}

// copyWords stores n words of an array in v.
func (e *emitter) copyWords(v *plan.Value, src *code.Expr, n int) {
	e.times(wordI, n, func() { e.store(v, field(v).Index(wordI), src.Index(wordI)) })
}

func (g *generator) checkFunctions() {
	var fails []*code.Expr
	for _, c := range g.Checks {
		for i := range c.Fail.BitWords() {
			fails = append(fails, bitWord(c.Fail, code.Int(i)).Differs(code.Zero))
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
			g.f("if %s != 0 {\nfirst = min(first, %d)\n}\n", lane(c.Fail, code.Int(l))[0], i)
		}
	}
	g.f("a := assertions[first]\na.Cycle = s.cycle\nreturn &a\n}\n\nvar assertions = [...]sim.AssertionError{\n")
	for _, c := range g.D.Checks {
		g.f("{Path: %q, Text: %q},\n", c.Path, c.Text)
	}
	g.f("}\n")
}
