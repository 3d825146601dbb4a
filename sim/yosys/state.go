package yosys

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// flipFlop is one bit of state.
type flipFlop struct {
	cell *eda.Cell
	at   int
}

// net returns the net at a pin of a flip-flop.
func (f flipFlop) net(pin string) eda.Bit { return f.cell.Pins[pin][f.at] }

// clock returns the clock net of a flip-flop.
func (f flipFlop) clock() eda.Bit {
	if f.cell.Type == "$dff" {
		return f.cell.Pins["CLK"][0]
	}
	return f.cell.Pins["C"][0]
}

// flipFlops returns the flip-flops of m by the nets that they drive.
func flipFlops(m *eda.Module) map[eda.Bit]flipFlop {
	out := map[eda.Bit]flipFlop{}
	for _, c := range m.Cells {
		if c.Type == "$dff" || c.Type == "$_DFF_P_" {
			for i, q := range c.Pins["Q"] {
				out[q] = flipFlop{c, i}
			}
		}
	}
	return out
}

// state converts registers and memories.
func (r *reader) state() {
	next := r.registers()
	for _, name := range eda.Sorted(r.m.Cells) {
		if c := r.m.Cells[name]; c.Type == "$mem_v2" {
			r.memory(c)
		}
	}
	for _, s := range r.out.Body.Signals {
		if bits := next[s]; bits != nil {
			r.assign(s, unpacked(r.word(bits), s.Type))
		}
	}
	for _, name := range eda.Sorted(r.m.Cells) {
		if c := r.m.Cells[name]; c.Type == "$mem_v2" {
			r.writes(c)
		}
	}
}

// registers declares registers for all flip-flops and returns their next values. If all nets of a
// name are flip-flops, the name becomes a register; registers of the design take precedence.
// Benches therefore find the registers, and PowerUp gives them the same values.
func (r *reader) registers() map[*ir.Signal][]eda.Bit {
	next := map[*ir.Signal][]eda.Bit{}
	left := flipFlops(r.gold)
	declare := func(name string, bits []eda.Bit) {
		t := r.states[name]
		if t.Bits() != len(bits) {
			t = ir.Type{Width: len(bits)}
		}
		s := &ir.Signal{Name: name, Kind: ir.Reg, Type: t, Scope: r.out.Body, Domain: r.domain(left[bits[0]].clock())}
		r.out.Body.Signals = append(r.out.Body.Signals, s)
		whole := packed(ref(s))
		for i, q := range bits {
			f := left[q]
			f.cell = r.m.Cells[f.cell.Name]
			next[s] = append(next[s], f.net("D"))
			r.from[f.net("Q")] = source{value: whole, index: i}
			delete(left, q)
		}
	}
	free := func(q eda.Bit) bool { return left[q].cell != nil }
	names := eda.Sorted(r.gold.Nets)
	slices.SortStableFunc(names, func(a, b string) int { return r.rank(a) - r.rank(b) })
	for _, name := range names {
		bits := r.gold.Nets[name].Bits
		if distinct(bits) && !slices.ContainsFunc(bits, func(q eda.Bit) bool { return !free(q) || left[q].clock() != left[bits[0]].clock() }) {
			declare(name, bits)
		}
	}
	for _, name := range names { // bits that several names share
		for _, q := range r.gold.Nets[name].Bits {
			if free(q) {
				declare(name, []eda.Bit{q})
			}
		}
	}
	return next
}

// rank returns the preference of a register name; lower is better.
func (r *reader) rank(name string) int {
	if _, ok := r.states[name]; ok {
		return 0
	}
	return 1 + r.gold.Nets[name].Hidden
}

// distinct reports whether all nets of a word are different.
func distinct(bits []eda.Bit) bool {
	sorted := slices.Sorted(slices.Values(bits))
	return len(slices.Compact(sorted)) == len(bits)
}

// domain returns the domain of a clock net, or nil for the module's own clock.
func (r *reader) domain(clock eda.Bit) *ir.Domain {
	for _, x := range r.out.Domains {
		if r.gold.Ports[x.Clock.Name].Bits[0] == clock {
			return x
		}
	}
	if own := r.gold.Ports[r.out.Own.ClockName()].Bits; len(own) == 0 || own[0] != clock {
		fail("net %d is a clock and no port", clock)
	}
	return nil
}

// memory declares a memory. Its reads are combinational.
func (r *reader) memory(c *eda.Cell) {
	width, depth := c.Number("WIDTH"), c.Number("SIZE")
	x := &ir.Mem{Name: c.Name, Depth: depth, Width: width, Scope: r.out.Body, Init: contents(c.Parameters["INIT"], width, depth)}
	if ports := c.Number("WR_PORTS"); ports > 0 {
		x.Domain = r.domain(r.gold.Cells[c.Name].Pins["WR_CLK"][0])
	}
	r.mems[c] = x
	r.out.Body.Mems = append(r.out.Body.Mems, x)
}

// contents returns the initial words of a memory, or nil if they are undefined.
func contents(text string, width, depth int) []uint64 {
	if text == "" || text[len(text)-1] == 'x' {
		return nil
	}
	n := ir.Words(width)
	out := make([]uint64, n*depth)
	for i := range width * depth {
		if text[len(text)-1-i] == '1' {
			out[i/width*n+i%width/64] |= 1 << (i % width % 64)
		}
	}
	return out
}

// loaded returns the value that read port k of a memory reads.
func (r *reader) loaded(c *eda.Cell, k int) *ir.Expr {
	addr, in := r.address(c, "RD_ADDR", k)
	e := node(ir.MemRead, c.Number("WIDTH"), addr)
	e.Mem = r.mems[c]
	if in != nil {
		e = mux(in, e, number(e.Type.Width, 0))
	}
	return e
}

// address returns the address at port k of a memory. If the address has more bits than the memory
// needs, in reports whether it is in range; otherwise, in is nil.
func (r *reader) address(c *eda.Cell, pin string, k int) (addr, in *ir.Expr) {
	n := c.Number("ABITS")
	addr = r.word(c.Pins[pin][k*n : k*n+n])
	width := ir.IndexWidth(c.Number("SIZE"))
	if n > width {
		in = not(nonzero(slice(addr, width, n-width)))
	}
	return resize(addr, width, false), in
}

// writes converts all write ports, in order.
func (r *reader) writes(c *eda.Cell) {
	x, width := r.mems[c], c.Number("WIDTH")
	for k := range c.Number("WR_PORTS") {
		addr, in := r.address(c, "WR_ADDR", k)
		data, enable := c.Pins["WR_DATA"][k*width:][:width], c.Pins["WR_EN"][k*width:][:width]
		w := &ir.MemWrite{Mem: x, Addr: addr, Data: r.word(data)}
		cond := r.word(enable[:1])
		if slices.ContainsFunc(enable, func(b eda.Bit) bool { return b != enable[0] }) {
			w.Mask = r.word(enable)
			cond = nonzero(w.Mask)
		}
		if in != nil {
			cond = node(ir.And, 1, cond, in)
		}
		r.out.Body.Stmts = append(r.out.Body.Stmts, &ir.When{Cond: cond, Then: []ir.Stmt{w}})
	}
}
