package build

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// memRead translates a read of a memory. Beyond its depth, words are 0.
func (b *builder) memRead(e *ir.Expr) syntax.Expr {
	addr := e.Args[0]
	if !simplify.MayExceed(e.Mem.Depth, addr) {
		return &syntax.Word{Mem: b.objs[e.Mem], Addr: b.index(addr)}
	}
	in := b.inRange(addr, e.Mem.Depth)
	return &syntax.Ternary{Cond: in, Yes: &syntax.Word{Mem: b.objs[e.Mem], Addr: b.simple(addr)}, No: syntax.Zeros(e.Type.Width)}
}

// contents adds an initial block that gives m its contents, with a statement for each word.
// Simulators run this form, and synthesis takes it for the contents of a memory or ROM. A loop
// clears words if that takes fewer lines.
func (b *builder) contents(s *scope, m *ir.Mem) {
	mem := b.objs[m]
	it := &syntax.AlwaysItem{Initial: true, Src: b.src(m.Pos)}
	isZero := func(i int) bool { return !slices.ContainsFunc(m.InitWord(i), func(w uint64) bool { return w != 0 }) }
	zero := 0
	for i := range m.Depth {
		if isZero(i) {
			zero++
		}
	}
	var words []syntax.Stmt
	for i := range m.Depth {
		if x := m.InitWord(i); zero <= loopLines || !isZero(i) {
			word := &syntax.Word{Mem: mem, Addr: &syntax.Number{Val: []uint64{uint64(i)}}}
			words = append(words, &syntax.SetStmt{Lhs: word, Rhs: &syntax.Number{Width: m.Width, Val: x, Hex: true}})
		}
	}
	if zero > loopLines {
		it.Label = b.names.Fresh(m.Name + "_contents")
		k := b.integer(0, m.Depth)
		it.Vars = []*syntax.LoopVar{k}
		each := &syntax.Word{Mem: mem, Addr: &syntax.LoopValue{Value: k.Times(1)}}
		clear := &syntax.SetStmt{Lhs: each, Rhs: syntax.Zeros(m.Width)}
		it.Body = []syntax.Stmt{&syntax.ForStmt{Var: k, Body: []syntax.Stmt{clear}}}
	}
	it.Body = append(it.Body, words...)
	s.out = append(s.out, it)
}

// loopLines is the number of lines of the loop that clears words.
const loopLines = 4

// write translates a write to a memory: of a whole word, or of each lane with a bit in the
// mask. Synthesis takes the latter for the write enables of a block RAM.
func (b *builder) write(st *ir.MemWrite) []syntax.Stmt {
	mem, addr := b.objs[st.Mem], b.writeAddress(st.Addr)
	if st.Mask == nil {
		return []syntax.Stmt{&syntax.SetStmt{Lhs: &syntax.Word{Mem: mem, Addr: addr}, Rhs: b.expr(st.Data), Nonblocking: true, Src: b.src(st.Pos)}}
	}
	mask, data := &syntax.Ident{Obj: b.vector(st.Mask)}, &syntax.Ident{Obj: b.vector(st.Data)}
	lanes := st.Mask.Type.Width
	size := st.Mem.Width / lanes
	var out []syntax.Stmt
	for i := range lanes {
		word := &syntax.Word{Mem: mem, Addr: addr, Lo: i * size, Width: size}
		set := &syntax.SetStmt{Lhs: word, Rhs: syntax.SelectBits(data, i*size, size), Nonblocking: true, Src: b.src(st.Pos)}
		out = append(out, &syntax.IfStmt{Cond: syntax.SelectBits(mask, i, 1), Then: []syntax.Stmt{set}})
	}
	return out
}

// writeAddress translates the address of a write. A constant one becomes a wire: Yosys would
// turn a memory with constant addresses into registers, and warn of it.
func (b *builder) writeAddress(e *ir.Expr) syntax.Expr {
	if e.Op == ir.Const || e.Op == ir.LoopConst {
		return &syntax.Ident{Obj: b.name(e)}
	}
	return b.index(e)
}
