package cells

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Memory returns a memory with the shape and the contents of a cell.
func Memory(c *eda.Cell, name string, s *ir.Scope) *ir.Mem {
	width, depth := c.Number("WIDTH"), c.Number("SIZE")
	return &ir.Mem{Name: name, Depth: depth, Width: width, Scope: s, Init: contents(c.Parameters["INIT"], width, depth)}
}

// contents returns the initial words of a memory, or nil if all are undefined.
func contents(text string, width, depth int) []uint64 {
	n := ir.Words(width)
	out := make([]uint64, n*depth)
	known := false
	for i := range min(width*depth, len(text)) {
		bit := text[len(text)-1-i]
		known = known || bit != 'x'
		if bit == '1' {
			out[i/width*n+i%width/64] |= 1 << (i % width % 64)
		}
	}
	if !known {
		return nil
	}
	return out
}

// Loaded returns the value that read port k of a memory reads. Beyond the memory, this is x in
// Verilog; here the address loses its upper bits, as in Verilator.
func (v *Values) Loaded(x *ir.Mem, c *eda.Cell, k int) *ir.Expr {
	addr, _ := v.address(c, "RD_ADDR", k)
	e := node(ir.MemRead, x.Width, addr)
	e.Mem = x
	return e
}

// address returns the address at port k of a memory. If the address may be out of the range of a
// word of the memory's index width, in reports whether it is not; otherwise, in is nil.
func (v *Values) address(c *eda.Cell, pin string, k int) (addr, in *ir.Expr) {
	n := c.Number("ABITS")
	addr = v.Word(c.Pins[pin][k*n : k*n+n])
	if first := c.Number("OFFSET"); first > 0 {
		addr = node(ir.Sub, n, addr, Number(n, first))
	}
	width := ir.IndexWidth(c.Number("SIZE"))
	if n > width {
		in = not(nonzero(slice(addr, width, n-width)))
	}
	return resize(addr, width, false), in
}

// Writes returns a statement for each write port, in order.
func (v *Values) Writes(x *ir.Mem, c *eda.Cell) (out []ir.Stmt) {
	for k := range c.Number("WR_PORTS") {
		addr, in := v.address(c, "WR_ADDR", k)
		data, enable := c.Pins["WR_DATA"][k*x.Width:][:x.Width], lanes(c.Pins["WR_EN"][k*x.Width:][:x.Width])
		w := &ir.MemWrite{Mem: x, Addr: addr, Data: v.Word(data), Pos: x.Pos}
		cond := v.Word(enable)
		if len(enable) > 1 {
			w.Mask = cond
			cond = nonzero(cond)
		}
		if in != nil {
			cond = node(ir.And, 1, cond, in)
		}
		out = append(out, &ir.When{Cond: cond, Then: []ir.Stmt{w}, Pos: x.Pos})
	}
	return out
}

// lanes returns one enable for each of the largest equal parts of a word whose bits share theirs.
func lanes(enable []eda.Bit) []eda.Bit {
	for n := 1; n < len(enable); n++ {
		size := len(enable) / n
		if len(enable)%n > 0 {
			continue
		}
		var out []eda.Bit
		for part := range slices.Chunk(enable, size) {
			if !slices.ContainsFunc(part, func(b eda.Bit) bool { return b != part[0] }) {
				out = append(out, part[0])
			}
		}
		if len(out) == n {
			return out
		}
	}
	return enable
}
