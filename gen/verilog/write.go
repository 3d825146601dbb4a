package verilog

import "github.com/hotline-rtl/hotline/hw/ir"

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
