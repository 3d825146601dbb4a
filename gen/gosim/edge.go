package gosim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// edge prints what happens at a clock edge.
func (g *generator) edge(e *emitter) {
	g.commitFunctions(e)
	g.writeFunctions(e)
	g.resetFunctions(e)
	g.clearFunctions(e)
	g.checkFunctions()
}

// cases prints a function that runs method prefix0, prefix1 ... by number.
func (g *generator) cases(signature, prefix string, n int) {
	g.f("func (s *Model) %s {\nswitch i {\n", signature)
	result := strings.HasSuffix(signature, "bool")
	for i := range n {
		if result {
			g.f("case %d:\nreturn s.%s%d()\n", i, prefix, i)
		} else {
			g.f("case %d:\ns.%s%d()\n", i, prefix, i)
		}
	}
	g.f("}\n")
	if result {
		g.f("return false\n")
	}
	g.f("}\n\n")
}

// committed are the registers of each commit.
func (g *generator) committed() [][]*regs {
	out := make([][]*regs, len(g.commits))
	for _, r := range g.regs {
		i := g.commits[r.d.v.node.unit]
		out[i] = append(out[i], r)
	}
	return out
}

func (g *generator) commitFunctions(e *emitter) {
	committed := g.committed()
	g.f("// commit gives registers their next values.\nfunc (s *Model) commit() {\n")
	g.eachMarked("commits", len(committed), func(i int) string { return commitName(i, committed[i]) })
	g.f("}\n\n")
	g.cases("commitChanges(i int) bool", "changes", len(committed))
	for i, list := range committed {
		e.function(commitName(i, list)+"()", &unit{lanes: 1}, func() {
			for n, l := range vectorsOf(list) {
				e.either(func() ([]*kernel.Kernel, error) { return e.copying(fmt.Sprintf("vector%d_%s", n, commitName(i, l)), l) }, func() { e.copies(l) })
			}
		})
		e.function(fmt.Sprintf("changes%d() bool", i), &unit{lanes: 1}, func() {
			for _, r := range list {
				e.differs(r)
			}
			e.do(&code.Return{X: code.Name("false")})
		})
	}
}

// copies gives registers their next values.
func (e *emitter) copies(list []*regs) {
	for _, l := range byMask(list) {
		if l[0].mask != nil {
			e.copyMasked(l)
		} else {
			e.copyLanes(l[0].q, field(l[0].d.v))
		}
	}
}

// mostCopies is the greatest number of registers of a kernel.
const mostCopies = 8

// vectorsOf puts registers together that one kernel can copy, and those that none can.
func vectorsOf(list []*regs) [][]*regs {
	var out [][]*regs
	at := map[[2]int]int{}
	for _, r := range list {
		kind := [2]int{r.q.lanes, r.q.laneBits()}
		if r.q.laneBits() == 0 || r.mask != nil && r.mask.lanes != r.q.lanes {
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

// copying is the kernel that gives registers, all of lanes alike, their next values; none if the
// lanes are no words, or have one mask.
func (e *emitter) copying(name string, list []*regs) ([]*kernel.Kernel, error) {
	size := list[0].q.laneBits()
	if size == 0 || list[0].mask != nil && list[0].mask.lanes == 1 {
		return nil, nil
	}
	k := kernel.New(name, list[0].q.lanes, size)
	k.Doc = fmt.Sprintf("%s: next values of %d registers", name, len(list))
	for _, r := range list {
		mask := kernel.None
		if r.mask != nil {
			mask = k.LoadMask(placeOf(r.mask))
		}
		k.Store(placeOf(r.q), k.Load(placeOf(r.d.v)), mask, e.group(r.q))
	}
	if m := list[0].mask; m != nil && !slices.ContainsFunc(list, func(r *regs) bool { return r.mask != m }) {
		k.Mask, k.Masked = placeOf(m), true
	}
	return []*kernel.Kernel{k}, nil
}

// byMask puts registers with the same mask together.
func byMask(list []*regs) [][]*regs {
	var out [][]*regs
	at := map[*value]int{}
	for _, r := range list {
		if i, ok := at[r.mask]; ok && r.mask != nil {
			out[i] = append(out[i], r)
			continue
		}
		at[r.mask] = len(out)
		out = append(out, []*regs{r})
	}
	return out
}

// maskLoop has body done in the lanes of a mask, l being the lane.
func (e *emitter) maskLoop(mask *value, body func()) {
	switch inner := e.within(body); {
	case mask.lanes == 1:
		e.do(&code.If{Cond: field(mask).Differs(code.Zero), Then: inner})
	case mask.lanes <= 64:
		e.do(&code.Bits{Mask: maskM, X: field(mask), Bit: laneL, Body: inner})
	default:
		lanes := &code.Bits{Mask: maskM, Bit: laneL, Base: wordI.Mul(code.Int(64)), Body: inner}
		e.do(&code.Range{Index: wordI, Elem: maskM, N: field(mask), Body: []code.Stmt{lanes}})
	}
}

// copyMasked stores the next values of registers in the lanes of their mask, in
// several lanes at a time where they are small.
func (e *emitter) copyMasked(list []*regs) {
	mask := list[0].mask
	if list[0].q.lanes == 1 { // what is taken mostly differs
		e.maskLoop(mask, func() {
			for _, r := range list {
				e.note(e.p.readers[r.q], code.Int(1))
				e.put(field(r.q), field(r.d.v))
			}
		})
		return
	}
	bySize := map[int][]*regs{}
	for _, r := range list {
		size := r.q.laneBits()
		if size > 16 || r.q.lanes*size%64 != 0 {
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
			e.storeLane(r.q, laneL, lane(r.d.v, laneL))
		}
	})
}

// copyPacked is copyMasked for registers of lanes of size bits.
func (e *emitter) copyPacked(list []*regs, size int) {
	mask, each, all := list[0].mask, 64/size, code.Name("all")
	words := e.within(func() {
		e.do(&code.Define{Name: maskM, X: code.Call(fmt.Sprintf("model.Spread%d", size), code.Op(">>", all, bitNumber(wordI.Mul(code.Int(each)))))})
		for _, r := range list {
			p := e.number(wordIn(r.q, wordI))
			d := e.set(p.Pointed().Xor(wordIn(r.d.v, wordI).Pointed()).And(maskM))
			e.note(e.p.readers[r.q], d)
			e.do(&code.Assign{To: p.Pointed(), Operator: "^=", X: d})
		}
	})
	if mask.lanes <= 64 {
		e.do(&code.If{Init: &code.Define{Name: all, X: field(mask)}, Cond: all.Differs(code.Zero),
			Then: []code.Stmt{&code.Range{Index: wordI, N: code.Int(mask.lanes / each), Body: words}}})
		return
	}
	first := wordW.Mul(code.Int(size))
	e.do(&code.Range{Index: wordW, Elem: all, N: field(mask), Body: []code.Stmt{
		&code.If{Cond: all.Differs(code.Zero), Then: []code.Stmt{
			&code.Count{Index: wordI, From: first, To: first.Add(code.Int(size)), Step: 1, Body: words}}}}})
}

// differs returns true if a register would change otherwise than by a reset.
func (e *emitter) differs(r *regs) {
	var resets []*code.Expr
	if r.init != nil {
		resets = append(resets, code.Name("s.Reset").False())
	}
	byLane := r.clear != nil && r.clear.lanes > 1
	if r.clear != nil && !byLane {
		resets = append(resets, nonzero(r.clear).False())
	}
	different := func(at func(v *value) *code.Expr) *code.Expr { return at(r.q).Differs(at(r.d.v)) }
	changes := func(condition *code.Expr) {
		e.when(condition, func() { e.do(&code.Return{X: code.Name("true")}) })
	}
	inLane := func() {
		if byLane {
			e.when(lane(r.clear, laneL)[0].Differs(code.Zero), func() { e.do(&code.Continue{}) })
		}
		changes(different(func(v *value) *code.Expr { return plainLane(v, laneL) }))
	}
	if r.mask == nil && !byLane {
		changes(code.All("&&", append(resets, different(field))...))
		return
	}
	test := func() {
		if r.mask != nil {
			e.maskLoop(r.mask, inLane)
		} else {
			e.times(laneL, r.q.lanes, inLane)
		}
	}
	if len(resets) == 0 {
		test()
		return
	}
	e.when(code.All("&&", resets...), test)
}

// plainLane is lane i of v as it lies in memory, to be compared with the same of a value of
// the same type.
func plainLane(v *value, i *code.Expr) *code.Expr {
	switch {
	case v.lanes == 1:
		return field(v)
	case v.bits():
		return lane(v, i)[0]
	}
	return field(v).Index(masked(i, v.lanes))
}

// copyLanes stores all of the array src in v, of the same type.
func (e *emitter) copyLanes(v *value, src *code.Expr) {
	switch {
	case v.bits() && v.lanes > 64:
		e.copyWords(v, src, v.bitWords())
	case v.bits(), v.lanes == 1 && v.width <= 64:
		e.store(v, field(v), src)
	case v.lanes > 1: // several lanes at a time
		e.copyLanesOf(v, src)
	case v.words() > fewWords:
		e.copyWords(v, src, v.words())
	case v.width > 64:
		e.storeLane(v, lane0, elements(src, v.words()))
	}
}

// copyWords stores n words of an array in v.
func (e *emitter) copyWords(v *value, src *code.Expr, n int) {
	e.times(wordI, n, func() { e.store(v, field(v).Index(wordI), src.Index(wordI)) })
}

func (g *generator) writeFunctions(e *emitter) {
	g.f("// write does the writes to memories.\nfunc (s *Model) write() {\n")
	g.eachMarked("writes", len(g.mems), func(i int) string { return writeName(g.plan, g.mems[i]) })
	g.f("}\n\n")
	g.cases("writeChanges(i int) bool", "writeChanges", len(g.mems))
	for i, m := range g.mems {
		e.function(writeName(g.plan, m)+"()", &unit{lanes: 1}, func() {
			for n, w := range m.writes {
				e.either(func() ([]*kernel.Kernel, error) {
					return e.writing(fmt.Sprintf("vector%d_%s", n, writeName(g.plan, m)), m, w)
				}, func() {
					e.writePort(m, w, func(at, x *code.Expr) { e.assign(e.p.readersOf(m), wordType(m.width), at, x) })
				})
			}
		})
		e.function(fmt.Sprintf("writeChanges%d() bool", i), &unit{lanes: 1}, func() {
			for _, w := range m.writes {
				e.writePort(m, w, func(at, x *code.Expr) {
					e.when(code.Word(at).Differs(x), func() { e.do(&code.Return{X: code.Name("true")}) })
				})
			}
			e.do(&code.Return{X: code.Name("false")})
		})
	}
}

// writePort calls word for each word of m that w writes, and what it becomes.
func (e *emitter) writePort(m *memory, w *write, word func(at, x *code.Expr)) {
	e.u = &unit{kind: loop, lanes: w.lanes}
	if w.lanes == 1 {
		e.u.kind = scalar
	}
	e.enabledLanes(w, func() {
		addr := e.variables(e.read(w.addr))
		e.when(within(w.addr.width, m.depth, addr), func() {
			data := e.variables(e.read(w.data))
			at := memoryWord(m, laneOf(w.at, e.l), e.address(addr, m.room))
			if len(data) == 1 {
				word(at, data[0])
				return
			}
			for i, d := range data {
				word(at.At(i), d)
			}
		})
	})
}

// enabledLanes has body done in the lanes in which w is enabled.
func (e *emitter) enabledLanes(w *write, body func()) {
	enabled := func() { e.when(e.read(w.enable)[0].Differs(code.Zero), body) }
	switch {
	case w.lanes == 1:
		e.l = lane0
		enabled()
	case w.enable.same(w.lanes):
		e.l = laneL
		e.maskLoop(w.enable.v, body)
	default:
		e.l = laneL
		e.times(laneL, w.lanes, enabled)
	}
}

func (g *generator) resetFunctions(e *emitter) {
	initial := func(word func(r *regs, at, k *code.Expr)) {
		for _, r := range g.regs {
			if r.init != nil {
				e.fill(r.q, func(at, k *code.Expr) { word(r, at, k) }, r.init)
			}
		}
	}
	e.function("reset()", &unit{lanes: 1}, func() {
		initial(func(r *regs, at, k *code.Expr) { e.store(r.q, at, k) })
		e.do(&code.Do{X: code.Call("s.markCommits")})
	})
	e.function("isReset() bool", &unit{lanes: 1}, func() {
		initial(func(_ *regs, at, k *code.Expr) { e.failUnless(at.Equal(k)) })
		e.do(&code.Return{X: code.Name("true")})
	})
}

// failUnless returns false if a comparison is false.
func (e *emitter) failUnless(holds *code.Expr) {
	e.when(holds.False(), func() { e.do(&code.Return{X: code.Name("false")}) })
}

// fill calls f for each word of storage of v that is to become the constant k in
// every lane.
func (e *emitter) fill(v *value, f func(at, k *code.Expr), k []uint64) {
	words := constantWords(k, v.width)
	switch {
	case v.bits():
		for i := range v.bitWords() {
			f(bitWord(v, code.Int(i)), code.Num(-k[0]&ones(min(64, v.lanes-64*i))))
		}
	case v.lanes == 1 && v.width <= 64:
		f(field(v), words[0])
	case v.lanes == 1:
		for i, w := range words {
			f(field(v).At(i), w)
		}
	default:
		e.times(laneL, v.lanes, func() {
			at := field(v).Index(laneL)
			if v.width <= 64 {
				f(at, words[0])
				return
			}
			for i, w := range words {
				f(at.At(i), w)
			}
		})
	}
}

func (g *generator) checkFunctions() {
	var fails []*code.Expr
	for _, c := range g.checks {
		for i := range c.fail.bitWords() {
			fails = append(fails, bitWord(c.fail, code.Int(i)).Differs(code.Zero))
		}
	}
	if len(fails) == 0 {
		g.f("func (s *Model) check() error { return nil }\n")
		return
	}
	g.f("// check is the first assertion that fails.\nfunc (s *Model) check() error {\nif %s {\nreturn s.failed()\n}\nreturn nil\n}\n\n", code.All("||", fails...))
	if g.copies != nil {
		g.copiedChecks()
		return
	}
	g.f("func (s *Model) failed() error {\nfirst := len(assertions)\n")
	for _, c := range g.checks {
		for l, i := range c.list {
			g.f("if %s != 0 {\nfirst = min(first, %d)\n}\n", lane(c.fail, code.Int(l))[0], i)
		}
	}
	g.f("a := assertions[first]\na.Cycle = s.cycle\nreturn &a\n}\n\nvar assertions = [...]sim.AssertionError{\n")
	for _, c := range g.d.Checks {
		g.f("{Path: %q, Text: %q},\n", c.Path, c.Text)
	}
	g.f("}\n")
}
