package verilog

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

func (b *builder) memRead(e *ir.Expr) expr {
	addr := e.Args[0]
	if !mayExceed(e.Mem.Depth, addr) {
		return &word{mem: b.objs[e.Mem], addr: b.index(addr)}
	}
	in := b.inRange(addr, e.Mem.Depth)
	return &ternary{in, &word{mem: b.objs[e.Mem], addr: b.simple(addr)}, zeros(e.Type.Width)}
}

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

// write is a write to a memory: of all of a word, or of each lane whose bit of the
// mask is 1, which synthesis takes for the write enables of a block RAM.
func (b *builder) write(st *ir.MemWrite) []stmt {
	mem, addr := b.objs[st.Mem], b.writeAddress(st.Addr)
	if st.Mask == nil {
		return []stmt{&setStmt{lhs: &word{mem: mem, addr: addr}, rhs: b.expr(st.Data), nonblocking: true, src: b.src(st.Pos)}}
	}
	mask, data := &ident{b.vector(st.Mask)}, &ident{b.vector(st.Data)}
	lanes := st.Mask.Type.Width
	size := st.Mem.Width / lanes
	var out []stmt
	for i := range lanes {
		set := &setStmt{lhs: &word{mem, addr, i * size, size}, rhs: selectBits(data, i*size, size), nonblocking: true, src: b.src(st.Pos)}
		out = append(out, &ifStmt{cond: selectBits(mask, i, 1), then: []stmt{set}})
	}
	return out
}

// writeAddress is the address of a write. One that is constant is a wire: Yosys makes
// registers of a memory with constant addresses, and warns of it.
func (b *builder) writeAddress(e *ir.Expr) expr {
	if e.Op == ir.Const || e.Op == ir.LoopConst {
		return &ident{b.name(e)}
	}
	return b.index(e)
}
