package gosim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/hw/ir"
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
	g.eachMarked("commits", len(committed), func(i int) string { return fmt.Sprintf("commit%d", i) })
	g.f("}\n\n")
	g.cases("commitChanges(i int) bool", "changes", len(committed))
	for i, list := range committed {
		e.function(fmt.Sprintf("commit%d()", i), &unit{lanes: 1}, func() {
			for n, l := range vectorsOf(list) {
				e.either(func() (*kernel.Kernel, error) { return e.copying(fmt.Sprintf("commit%d_%d", i, n), l) }, func() { e.copies(l) })
			}
		})
		var c []string
		for _, r := range list {
			if r.mask != nil || r.clear != nil {
				c = append(c, fmt.Sprintf("s.differs%d()", r.q.id))
				g.differs(r)
				continue
			}
			if r.init != nil {
				c = append(c, fmt.Sprintf("!s.Reset && %s != %s", r.q.field(), r.d.v.field()))
			} else {
				c = append(c, fmt.Sprintf("%s != %s", r.q.field(), r.d.v.field()))
			}
		}
		g.f("func (s *Model) changes%d() bool {\n", i)
		g.returnAny(c)
		g.f("}\n\n")
	}
}

// returnAny returns whether any condition holds. gofmt takes the square of the
// length of an expression.
func (g *generator) returnAny(conditions []string) {
	const most = 100
	for len(conditions) > most {
		g.f("if %s {\nreturn true\n}\n", strings.Join(conditions[:most], " ||\n"))
		conditions = conditions[most:]
	}
	g.f("return %s\n", strings.Join(conditions, " ||\n"))
}

// copies prints how registers take their next values.
func (e *emitter) copies(list []*regs) {
	for _, l := range byMask(list) {
		if l[0].mask != nil {
			e.copyMasked(l)
		} else {
			e.copyLanes(l[0].q, l[0].d.v.field())
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

// copying is the kernel that gives registers, all of lanes alike, their next values.
func (e *emitter) copying(name string, list []*regs) (*kernel.Kernel, error) {
	size := list[0].q.laneBits()
	if size == 0 || list[0].mask != nil && list[0].mask.lanes == 1 {
		return nil, errNoKernel
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
	return k, nil
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

// maskLoop begins a loop over the lanes of a mask; it tells how many braces end
// it.
func (e *emitter) maskLoop(mask *value) int {
	if mask.lanes == 1 {
		e.f("if %s != 0 {\n", mask.field())
		return 1
	}
	if mask.lanes <= 64 {
		e.f("for m := %s; m != 0; m &= m-1 {\nl := model.FirstBit(m)\n", mask.field())
		return 1
	}
	e.f("for i, m := range %s {\nfor ; m != 0; m &= m-1 {\nl := i*64+model.FirstBit(m)\n", mask.field())
	return 2
}

// copyMasked stores the next values of registers in the lanes of their mask, in
// several lanes at a time where they are small.
func (e *emitter) copyMasked(list []*regs) {
	if list[0].q.lanes == 1 { // what is taken mostly differs
		e.f("if %s != 0 {\n", list[0].mask.field())
		for _, r := range list {
			e.note(e.p.readers[r.q], "1")
			e.f("%s = %s\n", r.q.field(), r.d.v.field())
		}
		e.f("}\n")
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
	for _, size := range []int{8, 16, 32} {
		if len(bySize[size]) > 0 {
			e.copyPacked(bySize[size], size)
		}
	}
	if len(bySize[0]) == 0 {
		return
	}
	end := e.maskLoop(list[0].mask)
	for _, r := range bySize[0] {
		e.storeLane(r.q, "l", r.d.v.lane("l", -1))
	}
	e.f("%s", strings.Repeat("}\n", end))
}

// copyPacked is copyMasked for registers of lanes of size bits.
func (e *emitter) copyPacked(list []*regs, size int) {
	mask, each := list[0].mask, 64/size
	end := "}\n}\n"
	if mask.lanes > 64 {
		e.f("for w, all := range %s {\nif all != 0 {\nfor i := w*%d; i < w*%d+%d; i++ {\n", mask.field(), size, size, size)
		end += "}\n"
	} else {
		e.f("if all := %s; all != 0 {\nfor i := range %d {\n", mask.field(), mask.lanes/each)
	}
	e.f("m := model.Spread%d(all>>(uint(i*%d)&63))\n", size, each)
	for _, r := range list {
		p, d := e.temp(), e.temp()
		e.f("%s := %s\n", p, e.wordAt(r.q))
		e.f("%s := (*%s^*%s)&m\n", d, p, e.wordAt(r.d.v))
		e.note(e.p.readers[r.q], d)
		e.f("*%s ^= %s\n", p, d)
	}
	e.f("%s", end)
}

// differs prints the test whether a register that has a mask, or that a condition
// resets, would change otherwise than by a reset.
func (g *generator) differs(r *regs) {
	g.f("func (s *Model) differs%d() bool {\n", r.q.id)
	if r.init != nil {
		g.f("if s.Reset {\nreturn false\n}\n")
	}
	byLane := r.clear != nil && r.clear.lanes > 1
	if r.clear != nil && !byLane {
		g.f("if %s {\nreturn false\n}\n", r.clear.on())
	}
	e, end := &emitter{p: g.plan, b: &g.b}, 0
	switch {
	case r.mask != nil:
		end = e.maskLoop(r.mask)
	case byLane:
		end = 1
		g.f("for l := range %d {\n", r.q.lanes)
	}
	if byLane {
		g.f("if %s != 0 {\ncontinue\n}\n", r.clear.lane("l", -1)[0])
	}
	at := func(v *value) string {
		switch {
		case end == 0 || v.lanes == 1:
			return v.field()
		case v.bits():
			return v.lane("l", -1)[0]
		}
		return v.field() + "[" + index("l", -1, v.lanes) + "]"
	}
	g.f("if %s != %s {\nreturn true\n}\n%sreturn false\n}\n\n", at(r.q), at(r.d.v), strings.Repeat("}\n", end))
}

// copyLanes stores all of the array src in v, of the same type.
func (e *emitter) copyLanes(v *value, src string) {
	switch {
	case v.bits() && v.lanes > 64:
		e.f("for i := range %d {\n", v.bitWords())
		e.store(v, v.field()+"[i]", src+"[i]")
		e.f("}\n")
	case v.bits(), v.lanes == 1 && v.width <= 64:
		e.store(v, v.field(), src)
	case v.lanes > 1: // several lanes at a time
		e.f("if %s != %s {\n", v.field(), src)
		e.note(e.p.readers[v], "1")
		e.f("%s = %s\n}\n", v.field(), src)
	case v.words() > fewWords:
		e.f("for i := range %d {\n", v.words())
		e.store(v, v.field()+"[i]", src+"[i]")
		e.f("}\n")
	case v.width > 64:
		for i := range v.words() {
			at := fmt.Sprintf("[%d]", i)
			e.store(v, v.field()+at, src+at)
		}
	}
}

func (g *generator) writeFunctions(e *emitter) {
	g.f("// write does the writes to memories.\nfunc (s *Model) write() {\n")
	g.eachMarked("writes", len(g.mems), func(i int) string { return fmt.Sprintf("write%d", i) })
	g.f("}\n\n")
	g.cases("writeChanges(i int) bool", "writeChanges", len(g.mems))
	for i, m := range g.mems {
		e.function(fmt.Sprintf("write%d()", i), &unit{lanes: 1}, func() { e.writePorts(m, false) })
		e.function(fmt.Sprintf("writeChanges%d() bool", i), &unit{lanes: 1}, func() {
			e.writePorts(m, true)
			e.f("return false\n")
		})
	}
}

// writePorts prints the writes to m, or the test whether they change it.
func (e *emitter) writePorts(m *memory, test bool) {
	for _, w := range m.writes {
		e.u = &unit{kind: loop, lanes: w.lanes}
		if w.lanes == 1 {
			e.u.kind = scalar
		}
		end := e.enabledLanes(w)
		addr := e.variables(e.read(w.addr))
		if ok := within(w.addr.width, m.depth, addr); ok != "" {
			end++
			e.f("if %s {\n", ok)
		}
		data := e.variables(e.read(w.data))
		word := m.word(w.at.expr(e.l), e.address(addr, m.room))
		for i, d := range data {
			at := word
			if len(data) > 1 {
				at = fmt.Sprintf("%s[%d]", word, i)
			}
			if test {
				e.f("if uint64(%s) != %s {\nreturn true\n}\n", at, d)
			} else {
				e.assign(e.p.readersOf(m), memType(m.width), at, d)
			}
		}
		e.f("%s", strings.Repeat("}\n", end))
	}
}

// enabledLanes begins a loop over the lanes in which w is enabled; it tells how
// many braces end it.
func (e *emitter) enabledLanes(w *write) int {
	switch {
	case w.lanes > 1 && w.enable.same(w.lanes):
		e.l = "l"
		return e.maskLoop(w.enable.v)
	case w.lanes > 1:
		e.l = "l"
		e.f("for l := range %d {\nif %s != 0 {\n", w.lanes, e.read(w.enable)[0])
		return 2
	}
	e.l = "0"
	e.f("if %s != 0 {\n", e.read(w.enable)[0])
	return 1
}

func (g *generator) resetFunctions(e *emitter) {
	e.function("reset()", &unit{lanes: 1}, func() {
		for _, r := range g.regs {
			if r.init != nil {
				e.fill(r.q, func(at string, k uint64) { e.store(r.q, at, fmt.Sprintf("uint64(%s)", hex(k))) }, r.init)
			}
		}
		e.f("s.markCommits()\n")
	})
	e.function("isReset() bool", &unit{lanes: 1}, func() {
		for _, r := range g.regs {
			if r.init != nil {
				e.fill(r.q, func(at string, k uint64) { e.f("if %s != %s {\nreturn false\n}\n", at, hex(k)) }, r.init)
			}
		}
		e.f("return true\n")
	})
}

// fill calls f for each word of storage of v that is to become the constant k in
// every lane.
func (e *emitter) fill(v *value, f func(at string, k uint64), k []uint64) {
	switch {
	case v.bits():
		for i := range v.bitWords() {
			at := v.field()
			if v.lanes > 64 {
				at += fmt.Sprintf("[%d]", i)
			}
			f(at, -k[0]&ones(min(64, v.lanes-64*i)))
		}
	case v.lanes == 1 && v.width <= 64:
		f(v.field(), k[0])
	case v.lanes == 1:
		for i := range ir.Words(v.width) {
			f(fmt.Sprintf("%s[%d]", v.field(), i), k[i])
		}
	default:
		e.f("for l := range %d {\n", v.lanes)
		for i := range ir.Words(v.width) {
			at := v.field() + "[l]"
			if v.width > 64 {
				at += fmt.Sprintf("[%d]", i)
			}
			f(at, k[i])
		}
		e.f("}\n")
	}
}

func (g *generator) checkFunctions() {
	var fails []string
	for _, c := range g.checks {
		if c.fail.lanes <= 64 {
			fails = append(fails, c.fail.field()+" != 0")
			continue
		}
		for i := range c.fail.bitWords() {
			fails = append(fails, fmt.Sprintf("%s[%d] != 0", c.fail.field(), i))
		}
	}
	if len(fails) == 0 {
		g.f("func (s *Model) check() error { return nil }\n")
		return
	}
	g.f("// check is the first assertion that fails.\nfunc (s *Model) check() error {\nif %s {\nreturn s.failed()\n}\nreturn nil\n}\n\n", strings.Join(fails, " || "))
	g.f("func (s *Model) failed() error {\nfirst := len(assertions)\n")
	for _, c := range g.checks {
		for l, i := range c.list {
			g.f("if %s != 0 {\nfirst = min(first, %d)\n}\n", c.fail.lane("", l)[0], i)
		}
	}
	g.f("a := assertions[first]\na.Cycle = s.cycle\nreturn &a\n}\n\nvar assertions = [...]sim.AssertionError{\n")
	for _, c := range g.d.Checks {
		g.f("{Path: %q, Text: %q},\n", c.Path, c.Text)
	}
	g.f("}\n")
}
