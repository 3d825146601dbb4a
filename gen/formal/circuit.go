package formal

import (
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// lit is a literal of an and-inverter graph: twice the number of a node, plus 1 if inverted. Node 0
// is the constant 0.
type lit int

func (l lit) not() lit { return l ^ 1 }

// latch is a node that is 0 in the first step, and otherwise the value of next in the previous
// step.
type latch struct{ out, next lit }

// and is a node with two operands.
type and struct{ out, a, b lit }

// claim is an assertion, assumption or cover statement. It is violated if on is 1 and holds is 0.
type claim struct {
	kind      string // type of the cell
	source    string // file and line of the Verilog
	on, holds lit
}

// circuit is a design as an and-inverter graph. Operands precede their operators.
type circuit struct {
	inputs  []lit
	latches []latch
	ands    []and
	claims  []claim
	nodes   lit
	fails   lit              // an assertion fails, while all assumptions hold and have held
	names   map[string][]lit // values of the signals of the top module, lowest bit first
}

// resetSteps is the number of steps in which the resets of a design with several clocks are active.
// Package cdc needs four edges of each clock. One step is enough for a design with one clock,
// because unreset state is arbitrary then.
const resetSteps = 4

// builder builds a circuit from a netlist.
type builder struct {
	circuit
	netlist *eda.Module
	values  map[eda.Bit]lit
	drivers map[eda.Bit]*eda.Cell
	initial map[eda.Bit]bool
	ticks   map[eda.Bit]lit   // by the net of a clock: the clock has an edge in this step
	latched map[*eda.Cell]int // index of the latch of a flip-flop
	started lit               // 1 except in the first step
}

// newCircuit returns the circuit of a netlist of top.
func newCircuit(n *eda.Module, top *ir.Module) (c *circuit, err error) {
	b := &builder{netlist: n, drivers: map[eda.Bit]*eda.Cell{}, initial: initial(n), ticks: map[eda.Bit]lit{}, latched: map[*eda.Cell]int{}}
	b.nodes, b.values, b.names = 1, map[eda.Bit]lit{eda.Zero: 0, eda.One: 1}, map[string][]lit{}
	for _, name := range eda.Sorted(n.Cells) {
		for _, pin := range []string{"Y", "Q"} {
			for _, net := range n.Cells[name].Pins[pin] {
				b.drivers[net] = n.Cells[name]
			}
		}
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case unsupported:
			err = e
		default:
			panic(e)
		}
	}()
	b.clocking(top)
	for _, name := range eda.Sorted(n.Cells) {
		b.add(n.Cells[name])
	}
	b.fails = b.failure()
	b.name()
	return &b.circuit, nil
}

// unsupported reports a feature of a netlist that a circuit does not support.
type unsupported string

func (u unsupported) Error() string { return "formal: " + string(u) }

// clocking assigns the ports of clocks and resets. A single clock has an edge in each step. With
// several clocks, any subset may have an edge in a step.
func (b *builder) clocking(top *ir.Module) {
	steps := 1
	if len(top.Domains) > 1 {
		steps = resetSteps
	}
	over := lit(1)
	for i := range steps {
		over = b.latch(over)
		if i == 0 {
			b.started = over
		}
	}
	if p, ok := b.netlist.Ports[first]; ok {
		b.values[p.Bits[0]] = b.started.not()
	}
	act := func(reset string, low bool) {
		if p, ok := b.netlist.Ports[reset]; ok {
			b.values[p.Bits[0]] = over.not()
			if low {
				b.values[p.Bits[0]] = over
			}
		}
	}
	if len(top.Domains) == 0 {
		b.ticks[b.port(top.Own.ClockName())] = 1
		act(top.Own.ResetName(), top.Own.Low)
	}
	for _, d := range top.Domains {
		tick := lit(1)
		if len(top.Domains) > 1 {
			tick = b.and(over, b.input().not()).not()
		}
		b.ticks[b.port(d.Clock.Name)] = tick
		if d.Reset != nil {
			act(d.Reset.Name, d.Low)
		}
	}
}

// port returns the net of a 1-bit port, or Unknown.
func (b *builder) port(name string) eda.Bit {
	if p, ok := b.netlist.Ports[name]; ok {
		return p.Bits[0]
	}
	return eda.Unknown
}

func (b *builder) node() lit {
	b.nodes++
	return 2 * (b.nodes - 1)
}

func (b *builder) input() lit {
	b.inputs = append(b.inputs, b.node())
	return b.inputs[len(b.inputs)-1]
}

func (b *builder) latch(next lit) lit {
	b.latches = append(b.latches, latch{b.node(), next})
	return b.latches[len(b.latches)-1].out
}

func (b *builder) and(x, y lit) lit {
	switch {
	case x == 0 || y == 0 || x == y.not():
		return 0
	case x == 1 || x == y:
		return y
	case y == 1:
		return x
	}
	out := b.node()
	b.ands = append(b.ands, and{out, x, y})
	return out
}

// mux returns x if s is 1, and otherwise y.
func (b *builder) mux(s, x, y lit) lit {
	return b.and(b.and(s, x).not(), b.and(s.not(), y).not()).not()
}

// value returns the value of a net. An undriven net has an arbitrary value in each step.
func (b *builder) value(net eda.Bit) lit {
	if v, ok := b.values[net]; ok {
		return v
	}
	var v lit
	switch c := b.drivers[net]; {
	case c == nil:
		v = b.input()
	case c.Type == "$_NOT_":
		v = b.value(c.Pins["A"][0]).not()
	case c.Type == "$_AND_":
		v = b.and(b.value(c.Pins["A"][0]), b.value(c.Pins["B"][0]))
	case c.Type == "$_DFF_P_":
		v = b.flipFlop(c, net)
	default:
		panic(unsupported("a cell of type " + c.Type))
	}
	if net != eda.Unknown {
		b.values[net] = v
	}
	return v
}

// flipFlop returns the value of a register. Its initial value is arbitrary unless it is specified.
func (b *builder) flipFlop(c *eda.Cell, out eda.Bit) lit {
	b.latched[c] = len(b.latches)
	l := b.latch(0)
	if at, ok := b.initial[out]; !ok {
		return b.mux(b.started, l, b.input())
	} else if at {
		return l.not()
	}
	return l
}

// add adds cells with an effect: the next values of flip-flops, and assertions.
func (b *builder) add(c *eda.Cell) {
	switch c.Type {
	case "$_AND_", "$_NOT_":
	case "$_DFF_P_":
		out := c.Pins["Q"][0]
		now := b.value(out)
		next := b.mux(b.tick(c), b.value(c.Pins["D"][0]), now)
		if b.initial[out] {
			next = next.not()
		}
		b.latches[b.latched[c]].next = next
	case "$assert", "$assume", "$cover":
		b.claims = append(b.claims, claim{c.Type[1:], line(c.Attributes["src"]), b.ahead(c.Pins["EN"][0]), b.ahead(c.Pins["A"][0])})
	default:
		panic(unsupported("a cell of type " + c.Type))
	}
}

func (b *builder) tick(c *eda.Cell) lit {
	tick, ok := b.ticks[c.Pins["C"][0]]
	if !ok {
		panic(unsupported("a register at " + c.Attributes["src"] + " whose clock is no port"))
	}
	return tick
}

// ahead returns the value that a net will have a step later. The net must depend on flip-flops
// only. Yosys checks assertions a cycle after the clock edge that they refer to; ahead compensates
// for this.
func (b *builder) ahead(net eda.Bit) lit {
	if net == eda.Zero || net == eda.One {
		return lit(net)
	}
	switch c := b.drivers[net]; {
	case c == nil:
		panic(unsupported("an assertion that follows no clock"))
	case c.Type == "$_NOT_":
		return b.ahead(c.Pins["A"][0]).not()
	case c.Type == "$_AND_":
		return b.and(b.ahead(c.Pins["A"][0]), b.ahead(c.Pins["B"][0]))
	default:
		return b.mux(b.tick(c), b.value(c.Pins["D"][0]), b.value(net))
	}
}

// line returns the file and the last line of a source attribute such as name.v:12.3-13.9. The first
// line of Yosys is too early if nothing precedes a statement.
func line(src string) string {
	file, at, _ := strings.Cut(src, ":")
	_, end, _ := strings.Cut(at, "-")
	row, _, _ := strings.Cut(end, ".")
	return file + ":" + row
}

// failure returns whether an assertion fails, while all assumptions hold and have held. For a
// miter, it returns whether outputs differ after the first step.
func (b *builder) failure() lit {
	if p, ok := b.netlist.Ports[differ]; ok {
		return b.and(b.started, b.value(p.Bits[0]))
	}
	fails := lit(0)
	for _, c := range b.claims {
		if c.kind == "assert" {
			fails = b.and(fails.not(), b.and(c.on, c.holds.not()).not()).not()
		}
	}
	return b.and(b.sound(), fails)
}

// sound returns whether all assumptions hold and have held.
func (b *builder) sound() lit {
	broken := b.latch(0)
	at := len(b.latches) - 1
	now := broken.not()
	for _, c := range b.claims {
		if c.kind == "assume" {
			now = b.and(now, b.and(c.on, c.holds.not()).not())
		}
	}
	b.latches[at].next = now.not()
	return now
}

// name records the values of the named signals of the top module.
func (b *builder) name() {
	for name, net := range b.netlist.Nets {
		if net.Hidden == 1 || strings.Contains(name, ".") {
			continue
		}
		for _, x := range net.Bits {
			v, ok := b.values[x]
			if !ok { // no relevant value depends on it
				delete(b.names, name)
				break
			}
			b.names[name] = append(b.names[name], v)
		}
	}
}
