package netlist

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// flipFlop is a bit of state.
type flipFlop struct {
	cell *cell
	at   int
}

// net is that of a pin of a flip-flop.
func (f flipFlop) net(pin string) bit { return f.cell.Pins[pin][f.at] }

// clock is the net that a flip-flop follows.
func (f flipFlop) clock() bit {
	if f.cell.Type == "$dff" {
		return f.cell.Pins["CLK"][0]
	}
	return f.cell.Pins["C"][0]
}

// flipFlops are those of m by the nets that they drive.
func (m *module) flipFlops() map[bit]flipFlop {
	out := map[bit]flipFlop{}
	for _, c := range m.Cells {
		if c.Type == "$dff" || c.Type == "$_DFF_P_" {
			for i, q := range c.Pins["Q"] {
				out[q] = flipFlop{c, i}
			}
		}
	}
	return out
}

// state describes registers and memories.
func (r *reader) state() {
	next := r.registers()
	for _, name := range sorted(r.m.Cells) {
		if c := r.m.Cells[name]; c.Type == "$mem_v2" {
			r.memory(c)
		}
	}
	for _, s := range r.out.Body.Signals {
		if bits := next[s]; bits != nil {
			r.assign(s, unpacked(r.word(bits), s.Type))
		}
	}
	for _, name := range sorted(r.m.Cells) {
		if c := r.m.Cells[name]; c.Type == "$mem_v2" {
			r.writes(c)
		}
	}
}

// registers declares registers for all flip-flops; the result is what they take. A register is
// what a name stands for, if flip-flops are all of it, first of all that of a register of
// the design; so benches find it, and it gets the same value at power-up.
func (r *reader) registers() map[*ir.Signal][]bit {
	next := map[*ir.Signal][]bit{}
	left := r.gold.flipFlops()
	declare := func(name string, bits []bit) {
		t := r.states[name]
		if t.Bits() != len(bits) {
			t = ir.Type{Width: len(bits)}
		}
		s := &ir.Signal{Name: name, Kind: ir.Reg, Type: t, Scope: r.out.Body, Domain: r.domain(left[bits[0]].clock())}
		r.out.Body.Signals = append(r.out.Body.Signals, s)
		whole := packed(ref(s))
		for i, q := range bits {
			f := left[q]
			f.cell = r.m.Cells[f.cell.name]
			next[s] = append(next[s], f.net("D"))
			r.from[f.net("Q")] = source{value: whole, index: i}
			delete(left, q)
		}
	}
	free := func(q bit) bool { return left[q].cell != nil }
	names := sorted(r.gold.Nets)
	slices.SortStableFunc(names, func(a, b string) int { return r.rank(a) - r.rank(b) })
	for _, name := range names {
		bits := r.gold.Nets[name].Bits
		if distinct(bits) && !slices.ContainsFunc(bits, func(q bit) bool { return !free(q) || left[q].clock() != left[bits[0]].clock() }) {
			declare(name, bits)
		}
	}
	for _, name := range names { // what names share
		for _, q := range r.gold.Nets[name].Bits {
			if free(q) {
				declare(name, []bit{q})
			}
		}
	}
	return next
}

// rank is less for a name that suits a register better, of those that it has.
func (r *reader) rank(name string) int {
	if _, ok := r.states[name]; ok {
		return 0
	}
	return 1 + r.gold.Nets[name].Hidden
}

// distinct tells whether no net stands twice in a word.
func distinct(bits []bit) bool {
	sorted := slices.Sorted(slices.Values(bits))
	return len(slices.Compact(sorted)) == len(bits)
}

// domain is the clock of a net: nil for the module's own.
func (r *reader) domain(clock bit) *ir.Domain {
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

// memory declares a memory. It is read without a clock.
func (r *reader) memory(c *cell) {
	width, depth := c.number("WIDTH"), c.number("SIZE")
	x := &ir.Mem{Name: c.name, Depth: depth, Width: width, Scope: r.out.Body, Init: contents(c.Parameters["INIT"], width, depth)}
	if ports := c.number("WR_PORTS"); ports > 0 {
		x.Domain = r.domain(r.gold.Cells[c.name].Pins["WR_CLK"][0])
	}
	r.mems[c] = x
	r.out.Body.Mems = append(r.out.Body.Mems, x)
}

// contents are the words of a memory, or nil if nothing is said of them.
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

// loaded is what port k of a memory reads.
func (r *reader) loaded(c *cell, k int) *ir.Expr {
	addr, in := r.address(c, "RD_ADDR", k)
	e := node(ir.MemRead, c.number("WIDTH"), addr)
	e.Mem = r.mems[c]
	if in != nil {
		e = mux(in, e, number(e.Type.Width, 0))
	}
	return e
}

// address is the address at port k of a memory, and whether it is one at all, if it has bits
// for more.
func (r *reader) address(c *cell, pin string, k int) (addr, in *ir.Expr) {
	n := c.number("ABITS")
	addr = r.word(c.Pins[pin][k*n : k*n+n])
	width := ir.IndexWidth(c.number("SIZE"))
	if n > width {
		in = not(nonzero(slice(addr, width, n-width)))
	}
	return resize(addr, width, false), in
}

// writes are those of all ports, in order.
func (r *reader) writes(c *cell) {
	x, width := r.mems[c], c.number("WIDTH")
	for k := range c.number("WR_PORTS") {
		addr, in := r.address(c, "WR_ADDR", k)
		data, enable := c.Pins["WR_DATA"][k*width:][:width], c.Pins["WR_EN"][k*width:][:width]
		w := &ir.MemWrite{Mem: x, Addr: addr, Data: r.word(data)}
		cond := r.word(enable[:1])
		if slices.ContainsFunc(enable, func(b bit) bool { return b != enable[0] }) {
			w.Mask = r.word(enable)
			cond = nonzero(w.Mask)
		}
		if in != nil {
			cond = node(ir.And, 1, cond, in)
		}
		r.out.Body.Stmts = append(r.out.Body.Stmts, &ir.When{Cond: cond, Then: []ir.Stmt{w}})
	}
}
