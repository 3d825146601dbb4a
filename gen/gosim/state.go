package gosim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// state prints the access to registers and memories by path.
func (g *generator) state() {
	stored := g.stored()
	g.f("var states = model.NewStates([]model.Group{\n")
	for _, x := range stored {
		depth := ""
		if x.depth > 0 {
			depth = fmt.Sprintf(", Depth: %d", x.depth)
		}
		if x.fixed {
			depth += ", Fixed: true"
		}
		g.f("{%s, Width: %d%s},\n", x.paths, x.width, depth)
	}
	g.f("})\n\n")
	g.f("// committed are the groups of registers of each commit.\nvar committed = [][]int{\n")
	number := map[*plan.Regs]int{}
	for i, x := range stored {
		for _, r := range x.regs {
			number[r] = i
		}
	}
	for _, list := range g.committed() {
		var groups []string
		for _, r := range list {
			groups = append(groups, strconv.Itoa(number[r]))
		}
		g.f("{%s},\n", strings.Join(slices.Compact(groups), ", "))
	}
	g.f("}\n\nconst (\ntop = %q\nhasReset = %t\n)\n\n", g.design.Top.Name, g.design.Top.Reset)
	g.f(`// State implements sim.Inspector.
func (s *Model) State() []sim.State { return states.List }

// Peek is the present value of the register of that path, little-endian words
// that are valid until the next call; false if there is none.
func (s *Model) Peek(path string) ([]uint64, bool) {
	i, ok := states.Find(path, false)
	if !ok {
		return nil, false
	}
	return s.Read(i, 0), true
}

// PeekMem is the present value of a word of the memory of that path; false if
// there is none.
func (s *Model) PeekMem(path string, word int) ([]uint64, bool) {
	i, ok := states.Find(path, true)
	if !ok || word < 0 || word >= states.List[i].Depth {
		return nil, false
	}
	return s.Read(i, word), true
}

// Record gives ports, the reset and registers to r in every Step from now on.
func (s *Model) Record(r wave.Recorder) (err error) {
	s.trace, err = model.NewTrace(s, states, committed, top, hasReset, r)
	return err
}

// Read implements sim.Inspector.
func (s *Model) Read(i, word int) []uint64 {
	group, l := states.At(i)
	b := s.buf[:]
	_, _ = l, b
	switch group {
`)
	for i, x := range stored {
		g.f("case %d:\n", i)
		g.readWords(x)
	}
	g.f("}\nreturn nil\n}\n\n")
	g.write()
}

// readWords prints how a member of x is read.
func (g *generator) readWords(x stored) {
	if m := x.mem; m != nil && m.Width > 64 {
		g.f("return %s\n", memoryWord(m, laneL, code.Name("word")).Slice())
		return
	}
	w := x.words()
	for k, x := range w {
		g.f("b[%d] = %s\n", k, x)
	}
	g.f("return b[:%d]\n", len(w))
}

// write prints the functions that change state.
func (g *generator) write() {
	g.f(`// Poke gives the register of that path a value, little-endian words. It tells whether
// there is such a register.
func (s *Model) Poke(path string, value []uint64) bool {
	i, ok := states.Find(path, false)
	if !ok {
		return false
	}
	s.Write(i, 0, model.Fit(s.buf[:], value, states.List[i].Width))
	return true
}

// PokeMem gives a word of a memory a value, little-endian words. It tells whether
// there is such a word.
func (s *Model) PokeMem(path string, word int, value []uint64) bool {
	i, ok := states.Find(path, true)
	if !ok || word < 0 || word >= states.List[i].Depth {
		return false
	}
	s.Write(i, word, model.Fit(s.buf[:], value, states.List[i].Width))
	return true
}

// Write implements sim.Writable.
func (s *Model) Write(i, word int, value []uint64) {
	group, l := states.At(i)
	_, _ = l, value
	switch group {
`)
	registers := 0
	for i, x := range g.stored() {
		g.f("case %d:\n", i)
		if x.mem != nil {
			g.writeWord(x)
			continue
		}
		registers++
		e := &emitter{p: &plan.Plan{}, b: &g.b} // without marks: registers mark everything
		k := 0
		for _, r := range x.regs {
			var words []*code.Expr
			for range r.Q.Words() {
				words = append(words, valueV.At(k))
				k++
			}
			e.storeLane(r.Q, laneL, words)
		}
		e.print(e.body)
	}
	g.f(`}
	if group < %d {
		s.markUnits()
		s.markEdge()
		if s.trace != nil {
			s.trace.Edge(nil, true)
		}
	}
}
`, registers)
}

// writeWord prints how a word of a memory takes a value.
func (g *generator) writeWord(x stored) {
	m := x.mem
	g.print(func(e *emitter) {
		if m.Width > 64 {
			e.do(&code.Do{X: code.Call("copy", memoryWord(m, laneL, code.Name("word")).Slice(), valueV)})
		} else {
			for k := range ir.Words(x.width) {
				e.put(memoryWord(m, laneL, x.at(k)), code.Call(elemType(m.Width), valueV.At(k)))
			}
		}
		e.or(code.Name("s.writes").At(m.ID/64), code.Num(1<<(m.ID%64)))
		e.setting(markWords(m.Readers))
	})
}

// pathsText describes the paths of the lanes of a group: a pattern with one
// pair of brackets for each number that counts, or all of them.
func pathsText(paths []string) string {
	if len(paths) == 1 {
		return fmt.Sprintf("Pattern: %q", paths[0])
	}
	pattern, dims := withoutNumbers(paths[0]), []int(nil)
	last := numbersOf(paths[len(paths)-1])
	total := 1
	for _, n := range last {
		dims = append(dims, n+1)
		total *= n + 1
	}
	regular := total == len(paths)
	for l := 0; regular && l < len(paths); l++ {
		regular = fill(pattern, dims, l) == paths[l]
	}
	if regular {
		return fmt.Sprintf("Pattern: %q, Dims: []int{%s}", pattern, strings.Trim(strings.ReplaceAll(fmt.Sprint(dims), " ", ", "), "[]"))
	}
	quoted := make([]string, len(paths))
	for i, p := range paths {
		quoted[i] = strconv.Quote(p)
	}
	return fmt.Sprintf("Paths: []string{%s}", strings.Join(quoted, ", "))
}

// withoutNumbers is path without the numbers in brackets.
func withoutNumbers(path string) string {
	var b strings.Builder
	for _, c := range path {
		if c < '0' || c > '9' || !inBrackets(b.String()) {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func inBrackets(s string) bool { return strings.LastIndexByte(s, '[') > strings.LastIndexByte(s, ']') }

func numbersOf(path string) []int {
	var out []int
	for {
		_, rest, ok := strings.Cut(path, "[")
		if !ok {
			return out
		}
		number, after, _ := strings.Cut(rest, "]")
		n, _ := strconv.Atoi(number)
		out = append(out, n)
		path = after
	}
}

// fill puts the digits of l, of mixed radix dims, into the brackets of a pattern.
func fill(pattern string, dims []int, l int) string {
	digits := make([]int, len(dims))
	for i := len(dims) - 1; i >= 0; i-- {
		digits[i] = l % dims[i]
		l /= dims[i]
	}
	var b strings.Builder
	for i, piece := range strings.SplitAfter(pattern, "[") {
		b.WriteString(piece)
		if i < len(digits) && strings.HasSuffix(piece, "[") {
			b.WriteString(strconv.Itoa(digits[i]))
		}
	}
	return b.String()
}
