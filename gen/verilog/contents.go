package verilog

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// contents is the block that gives m its contents, a statement for each word: the
// form that simulators run and that synthesis takes for what a memory, or a ROM,
// begins with. A loop sets words that are zero, if there are more of them than the loop
// has lines.
func (b *builder) contents(s *frame, m *ir.Mem) {
	mem := b.objs[m]
	it := &alwaysItem{initial: true, src: b.src(m.Pos)}
	isZero := func(i int) bool { return !slices.ContainsFunc(m.InitWord(i), func(w uint64) bool { return w != 0 }) }
	zero := 0
	for i := range m.Depth {
		if isZero(i) {
			zero++
		}
	}
	var words []stmt
	for i := range m.Depth {
		if x := m.InitWord(i); zero <= loopLines || !isZero(i) {
			words = append(words, &setStmt{lhs: &word{mem: mem, addr: &number{val: []uint64{uint64(i)}}}, rhs: &number{width: m.Width, val: x, hex: true}})
		}
	}
	if zero > loopLines {
		it.label = b.names.fresh(m.Name + "_contents")
		k := b.integer(0, m.Depth)
		it.vars = []*loopVar{k}
		clear := &setStmt{lhs: &word{mem: mem, addr: &loopValue{affine{terms: []affineTerm{{k, 1}}}}}, rhs: zeros(m.Width)}
		it.body = []stmt{&forStmt{k, []stmt{clear}}}
	}
	it.body = append(it.body, words...)
	s.out = append(s.out, it)
}

// loopLines is how many lines the loop takes that sets words to zero.
const loopLines = 4
