package yosys

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/fromverilog/cells"
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
			r.assign(s, cells.Unpacked(r.Word(bits), s.Type))
		}
	}
	for _, name := range eda.Sorted(r.m.Cells) {
		if c := r.m.Cells[name]; c.Type == "$mem_v2" {
			r.out.Body.Stmts = append(r.out.Body.Stmts, r.Writes(r.mems[c], c)...)
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
		var driven []eda.Bit
		for _, q := range bits {
			f := left[q]
			f.cell = r.m.Cells[f.cell.Name]
			next[s] = append(next[s], f.net("D"))
			driven = append(driven, f.net("Q"))
			delete(left, q)
		}
		r.Bind(nil, driven, cells.Packed(cells.Ref(s)))
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
		cells.Fail(nil, "net %d is a clock and no port", clock)
	}
	return nil
}

// memory declares a memory. Its reads are combinational.
func (r *reader) memory(c *eda.Cell) {
	x := cells.Memory(c, c.Name, r.out.Body)
	if ports := c.Number("WR_PORTS"); ports > 0 {
		x.Domain = r.domain(r.gold.Cells[c.Name].Pins["WR_CLK"][0])
	}
	r.mems[c] = x
	r.out.Body.Mems = append(r.out.Body.Mems, x)
}
