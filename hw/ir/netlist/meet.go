package netlist

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// meetings reports crossings from one clock to another that reconverge after their synchronisers:
// values captured at the same time may arrive in different cycles. Crossings reconverge in an
// operation if one bit of its result depends on both. Registers that only delay a bit are
// transparent.
func (c *crossing) meetings() {
	m := &meeting{crossing: c, wires: map[Net][]int{}, behind: map[Net][][]int{}, met: map[[2]int]bool{}}
	for i := range c.d.Ops {
		m.operation(&c.d.Ops[i])
	}
}

// meeting is the state of the search. A crossing is identified by the index of its first register.
type meeting struct {
	*crossing
	wires  map[Net][]int   // see wired
	behind map[Net][][]int // by bit: the crossings that results of logic depend on
	met    map[[2]int]bool
}

// none means that there is no crossing.
const none = -1

// wired returns, for each bit of n, the crossing that the bit comes from without logic in between,
// or none.
func (m *meeting) wired(n Net) []int {
	if out, ok := m.wires[n]; ok {
		return out
	}
	out := slices.Repeat([]int{none}, int(m.d.Width[n]))
	m.wires[n] = out // for a register that holds its value
	if i, ok := m.by[n]; ok {
		copy(out, m.register(i))
		return out
	}
	op := m.op[n]
	if op == nil || !wiring(op.Code) {
		return out
	}
	at := 0
	for _, a := range slices.Backward(op.Args) {
		x := m.wired(a)
		if op.Code == ir.Slice {
			x = x[op.Lo:][:len(out)]
		}
		at += copy(out[at:], x)
	}
	if op.Code == ir.SExt {
		for ; at < len(out); at++ {
			out[at] = out[at-1]
		}
	}
	return out
}

// register returns the result of wired for the value stored in register i.
func (m *meeting) register(i int) []int {
	if m.pending[i].sig.Crosses != ir.CrossSettled {
		return m.wired(m.next(i))
	}
	first, ok := m.by[m.next(i)]
	if !ok || !m.matters(first) {
		return nil
	}
	return slices.Repeat([]int{first}, int(m.d.Width[m.d.Regs[i].Q]))
}

// matters reports whether the delay of a crossing relative to other crossings matters.
func (m *meeting) matters(first int) bool {
	kind := m.pending[first].sig.Crosses
	return kind == ir.CrossLevel || kind == ir.CrossGray
}

// bits returns, for each bit of n, the crossings that it depends on, with or without logic in
// between. It returns nil if there are none.
func (m *meeting) bits(n Net) [][]int {
	if out, ok := m.behind[n]; ok {
		return out
	}
	var out [][]int
	for k, x := range m.wired(n) {
		if x == none {
			continue
		}
		if out == nil {
			out = make([][]int, m.d.Width[n])
		}
		out[k] = []int{x}
	}
	m.behind[n] = out
	return out
}

// operation computes the crossings that the results of op depend on.
func (m *meeting) operation(op *Op) {
	if wiring(op.Code) {
		m.wire(op)
		return
	}
	if _, ok := m.by[op.Out]; ok { // the read value of a register with an asynchronous reset
		return
	}
	out := make([][]int, m.d.Width[op.Out])
	if bitwise(op.Code) {
		for b := range out {
			out[b] = m.column(op, b)
		}
	} else {
		var all []int
		for _, a := range op.Args {
			for _, x := range m.bits(a) {
				all = m.join(op, all, x)
			}
		}
		for b := range out {
			out[b] = all
		}
	}
	for k := range int(op.NOut) {
		m.depends(op.Out+Net(k), out)
	}
}

// depends records the crossings that the bits of n depend on.
func (m *meeting) depends(n Net, bits [][]int) {
	if slices.ContainsFunc(bits, func(x []int) bool { return x != nil }) {
		m.behind[n] = bits
	} else {
		m.behind[n] = nil
	}
}

// bitwise reports whether bit i of a result depends only on bit i of the operands and on one-bit
// operands.
func bitwise(op ir.Op) bool {
	return op == ir.Not || op == ir.And || op == ir.Or || op == ir.Xor || op == ir.Mux
}

// column returns the crossings that bit b of the result of a bitwise operation depends on.
func (m *meeting) column(op *Op, b int) (out []int) {
	for _, a := range op.Args {
		x := m.bits(a)
		switch {
		case x == nil:
		case m.d.Width[a] == m.d.Width[op.Out]:
			out = m.join(op, out, x[b])
		default:
			out = m.join(op, out, x[0])
		}
	}
	return out
}

// wire propagates the crossings of the operand bits to the result.
func (m *meeting) wire(op *Op) {
	var joined [][]int
	for _, a := range slices.Backward(op.Args) {
		x := m.bits(a)
		if x == nil {
			x = make([][]int, m.d.Width[a])
		}
		joined = append(joined, x...)
	}
	width := int(m.d.Width[op.Out])
	if op.Code == ir.Slice {
		joined = joined[op.Lo:][:width]
	}
	for len(joined) < width {
		var last []int
		if op.Code == ir.SExt {
			last = joined[len(joined)-1]
		}
		joined = append(joined, last)
	}
	m.depends(op.Out, joined)
}

// join adds the crossings y to x. If two crossings reconverge, it reports them and keeps one.
func (m *meeting) join(op *Op, x, y []int) []int {
	for _, b := range y {
		if slices.Contains(x, b) {
			continue
		}
		at := slices.IndexFunc(x, func(a int) bool { return m.clocksOf(a) == m.clocksOf(b) })
		if at >= 0 {
			m.report(op, x[at], b)
			continue
		}
		x = append(slices.Clip(x), b)
	}
	return x
}

// clocksOf returns the source and destination clocks of a crossing.
func (m *meeting) clocksOf(first int) [2]uint64 {
	return [2]uint64{m.follows[m.next(first)], m.follows[m.d.Regs[first].Q]}
}

// report reports that two crossings reconverge in op.
func (m *meeting) report(op *Op, a, b int) {
	pair := [2]int{min(a, b), max(a, b)}
	clocks := m.clocksOf(a)
	if m.met[pair] || clocks[0] == 0 || clocks[0] == clocks[1] { // a constant, or not a crossing
		return
	}
	m.met[pair] = true
	at := hop{op.Code.String(), op.From.Pos}
	if x, ok := m.named[op.Out]; ok {
		at.name = x.name
	}
	way := func(first int) string {
		r := m.d.Regs[first]
		source := m.ways(m.next(first))
		if len(source) == 0 {
			source = [][]hop{nil}
		}
		return wayText(append(source[0], hop{r.Path, r.Sig.Pos}, at))
	}
	m.problems = append(m.problems, ir.Problem{ID: "crossing", Module: m.moduleOf(op), Pos: op.From.Pos,
		Text: fmt.Sprintf("two crossings from clock %s to clock %s meet here, and may arrive in different cycles: %s; %s; join them in one register before, or use cdc.Handshake",
			m.clockName(clocks[0]), m.clockName(clocks[1]), way(pair[0]), way(pair[1]))})
}

// moduleOf returns the name of the module that op belongs to.
func (m *meeting) moduleOf(op *Op) string {
	at := slices.IndexFunc(m.frames, func(f *frame) bool { return f.copy == op.Copy })
	return m.frames[at].mod.IR.Name
}
