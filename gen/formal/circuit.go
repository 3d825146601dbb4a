package formal

import (
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// lit is a value of an and-inverter graph: twice the number of a node, and 1 more if it is
// inverted. Node 0 is the constant 0.
type lit int

func (l lit) not() lit { return l ^ 1 }

// latch is a node that is 0 in the first step, and otherwise what next was in the step before.
type latch struct{ out, next lit }

// and is a node of two operands.
type and struct{ out, a, b lit }

// claim is an assertion in one place of a design: on and not holds is its failure.
type claim struct {
	kind      string // type of the cell
	source    string // file and line of the Verilog
	on, holds lit
}

// circuit is a design as an and-inverter graph. Operands come before operators.
type circuit struct {
	inputs  []lit
	latches []latch
	ands    []and
	claims  []claim
	nodes   lit
	fails   lit              // an assertion fails, while all that is assumed holds and has held
	names   map[string][]lit // values of the signals of the top module, lowest bit first
}

// resetSteps is how long the resets of a design with several clocks act: package cdc wants
// four edges of each. One is enough for a design with one clock, as what it does not reset
// may have any value then.
const resetSteps = 4

// builder makes a circuit from a netlist.
type builder struct {
	circuit
	netlist *eda.Module
	values  map[eda.Bit]lit
	drivers map[eda.Bit]*eda.Cell
	initial map[eda.Bit]bool
	ticks   map[eda.Bit]lit   // by the net of a clock: it has an edge in this step
	latched map[*eda.Cell]int // number of the latch of a flip-flop
	started lit               // not the first step
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

// unsupported is what a netlist has and a circuit cannot.
type unsupported string

func (u unsupported) Error() string { return "formal: " + string(u) }

// clocking gives the ports of clocks and resets their values. A single clock has an edge in
// each step, of several clocks any may have one.
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

// port is the net of a port of one bit, or unknown.
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

// mux is x if s is 1, y otherwise.
func (b *builder) mux(s, x, y lit) lit {
	return b.and(b.and(s, x).not(), b.and(s.not(), y).not()).not()
}

// value is that of a net. What nothing drives may be anything in each step.
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

// flipFlop is the value of a register: anything at first, unless it has a value then.
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

// add adds what has an effect: the next values of flip-flops, and assertions.
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

// ahead is what a net that depends on flip-flops only will be a step later. Yosys checks
// assertions a cycle after the clock edge that they are about, and this takes them back.
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

// line is the file and the last line of a source attribute, name.v:12.3-13.9. Yosys has the
// first line too early where nothing stands before a statement.
func line(src string) string {
	file, at, _ := strings.Cut(src, ":")
	_, end, _ := strings.Cut(at, "-")
	row, _, _ := strings.Cut(end, ".")
	return file + ":" + row
}

// failure returns that an assertion fails, while all assumptions hold and have held; or that
// outputs differ after the first step.
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

// sound is that all assumptions hold and have held.
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

// name notes what the signals of the top module are.
func (b *builder) name() {
	for name, net := range b.netlist.Nets {
		if net.Hidden == 1 || strings.Contains(name, ".") {
			continue
		}
		for _, x := range net.Bits {
			v, ok := b.values[x]
			if !ok { // nothing that matters depends on it
				delete(b.names, name)
				break
			}
			b.names[name] = append(b.names[name], v)
		}
	}
}
