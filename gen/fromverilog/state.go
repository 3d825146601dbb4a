package fromverilog

import (
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/fromverilog/cells"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// reset is an asynchronous reset.
type reset struct {
	net eda.Bit
	low bool
}

func flipFlop(c *eda.Cell) bool { return c.Type == "$dff" || c.Type == "$adff" }

var equal = slices.Equal[[]eda.Bit]

// refused maps prefixes of types of cells to reasons.
var refused = []struct{ prefix, reason string }{
	{"$sr", "a latch with set and reset"},
	{"$tribuf", "a tristate value; expected 0 or 1"},
	{"$aldff", "an asynchronous load; an asynchronous reset needs a constant value"},
	{"$dffsr", "an asynchronous set and reset of one register"},
	{"$ff", "a register without a clock"},
	{"$assert", "an assertion"}, {"$assume", "an assumption"}, {"$cover", "a cover statement"},
	{"$pow", "a power with a variable exponent"},
}

// prepare finds clocks and resets, and refuses what the IR lacks.
func (x *module) prepare() {
	for _, name := range x.portNames() {
		switch p := x.m.Ports[name]; p.Direction {
		case "inout":
			x.failAt(name, "port %s is inout; expected input or output", name)
		case "output":
			for _, b := range p.Bits {
				x.used[b] = true
			}
		}
	}
	x.latches()
	for _, c := range x.cells() {
		for _, r := range refused {
			if strings.HasPrefix(c.Type, r.prefix) {
				cells.Fail(c, "%s", r.reason)
			}
		}
		x.reads(c)
		switch {
		case flipFlop(c):
			x.clock(c, c.Pins["CLK"][0], c.Number("CLK_POLARITY") == 1)
			if c.Type == "$adff" {
				x.reset(c)
			}
		case c.Type == "$mem_v2":
			for k, b := range c.Pins["WR_CLK"] {
				polarity := c.Parameters["WR_CLK_POLARITY"]
				x.clock(c, b, polarity[len(polarity)-1-k] == '1')
				if b != c.Pins["WR_CLK"][0] {
					cells.Fail(c, "memory %s is written with several clocks", c.Name)
				}
			}
		case x.im.modules[c.Type] != nil:
			child := x.im.modules[c.Type]
			for _, port := range child.clocks {
				if len(c.Pins[port]) == 0 {
					cells.Fail(c, "clock %s of instance %s is not connected", port, c.Name)
				}
				x.clock(c, c.Pins[port][0], true)
			}
		}
	}
}

// reads records the nets that a cell reads as data.
func (x *module) reads(c *eda.Cell) {
	child := x.im.modules[c.Type]
	for pin, bits := range c.Pins {
		for i, b := range bits {
			if child == nil || child.used[child.m.Ports[pin].Bits[i]] {
				x.used[b] = true
			}
		}
	}
}

// clock records a clock, which must be an input.
func (x *module) clock(c *eda.Cell, b eda.Bit, rising bool) {
	if !rising {
		cells.Fail(c, "clock %s is used at its falling edge", x.netName(b))
	}
	for name, p := range x.m.Ports {
		if p.Direction == "input" && slices.Contains(p.Bits, b) {
			if len(p.Bits) > 1 {
				cells.Fail(c, "clock %s is a bit of a wider port", x.netName(b))
			}
			x.clocks[b] = name
			return
		}
	}
	cells.Fail(c, "clock %s is not an input of the module: it is gated, derived or constant", x.netName(b))
}

// reset records an asynchronous reset, which must be an input.
func (x *module) reset(c *eda.Cell) {
	clock, r := c.Pins["CLK"][0], reset{c.Pins["ARST"][0], c.Number("ARST_POLARITY") == 0}
	if old, ok := x.resets[clock]; ok && old != r {
		cells.Fail(c, "clock %s has the asynchronous resets %s and %s", x.clocks[clock], x.netName(old.net), x.netName(r.net))
	}
	for _, p := range x.m.Ports {
		if p.Direction == "input" && len(p.Bits) == 1 && p.Bits[0] == r.net {
			x.resets[clock] = r
			return
		}
	}
	cells.Fail(c, "asynchronous reset %s is not an input of one bit", x.netName(r.net))
}

// domains declares the clocks that are ports.
func (x *module) domains() {
	for _, name := range x.portNames() {
		b := x.m.Ports[name].Bits[0]
		if x.clocks[b] != name {
			continue
		}
		d := &ir.Domain{Clock: x.ports[name]}
		if r, ok := x.resets[b]; ok {
			for other, p := range x.m.Ports {
				if p.Direction == "input" && p.Bits[0] == r.net {
					d.Reset, d.Low, d.Async = x.ports[other], r.low, true
				}
			}
		}
		x.out.Domains = append(x.out.Domains, d)
	}
}

// domain returns the domain of a clock, or nil for the module's own clock.
func (x *module) domain(clock eda.Bit) *ir.Domain {
	for _, d := range x.out.Domains {
		if d.Clock == x.ports[x.clocks[clock]] {
			return d
		}
	}
	return nil
}

// ownClock names the module's own clock and reset. The reset is unused, and its name is free.
func (x *module) ownClock() {
	x.out.Clock, x.out.Reset = x.out.Clocking()
	if x.im.ports {
		return
	}
	own := &x.out.Own
	own.Clock, own.Reset = "clk", "rst"
	for _, name := range x.clocks {
		own.Clock = name
	}
	own.Clock, own.Reset = x.names.legal(own.Clock), x.names.legal(own.Reset)
	if own.Clock == "clk" {
		own.Clock = ""
	}
	if own.Reset == "rst" {
		own.Reset = ""
	}
}

// bit is one bit of state.
type bit struct {
	cell *eda.Cell
	at   int
}

// register is a register and its next value. The bits of the register are complemented where the
// initial value is 1, because state of the IR starts at 0.
type register struct {
	sig   *ir.Signal
	bits  []eda.Bit
	start []eda.Bit // the initial value
	cell  *eda.Cell // that drives the first bit
}

// from0 converts between the value of a register with initial value start and its contents.
func from0(e *ir.Expr, start []eda.Bit) *ir.Expr {
	if !slices.Contains(start, eda.One) {
		return e
	}
	return cells.Xor(e, cells.Literal(start))
}

// registers declares a register for each name whose nets are all state of one kind, and for the
// remaining state of each cell.
func (x *module) registers() (next []register) {
	left := map[eda.Bit]bit{}
	for _, c := range x.cells() {
		if flipFlop(c) {
			for i, q := range c.Pins["Q"] {
				if _, ok := left[q]; ok {
					cells.Fail(c, "register %s has several drivers", x.netName(q))
				}
				left[q] = bit{c, i}
			}
		}
	}
	for _, name := range x.nets() {
		if n := x.m.Nets[name]; n.Hidden == 0 && oneKind(n.Bits, left) {
			next = append(next, x.register(name, n.Attributes, n.Bits, left))
		}
	}
	for _, c := range x.cells() {
		for _, q := range c.Pins["Q"] {
			if flipFlop(c) && left[q].cell == c {
				next = append(next, x.register(x.netName(q), c.Attributes, []eda.Bit{q}, left))
			}
		}
	}
	return next
}

// register declares a register of the given bits, and removes them from left.
func (x *module) register(name string, attributes map[string]string, bits []eda.Bit, left map[eda.Bit]bit) register {
	r := register{bits: make([]eda.Bit, len(bits)), start: make([]eda.Bit, len(bits)), cell: left[bits[0]].cell}
	value := make([]eda.Bit, len(bits)) // of an asynchronous reset
	for i, q := range bits {
		f := left[q]
		r.bits[i], r.start[i] = f.cell.Pins["D"][f.at], x.start[q]
		if text := f.cell.Parameters["ARST_VALUE"]; text != "" && text[len(text)-1-f.at] == '1' {
			value[i] = eda.One
		}
		delete(left, q)
	}
	r.sig = x.signal(ir.Reg, x.registerName(name, r.start), len(bits), attributes)
	r.sig.Domain, r.sig.HasReset = x.domain(r.cell.Pins["CLK"][0]), r.cell.Type == "$adff"
	if r.sig.HasReset {
		r.sig.Init = cells.Literal(value).Val
		for i, v := range cells.Literal(r.start).Val {
			r.sig.Init[i] ^= v
		}
	}
	e := from0(cells.Ref(r.sig), r.start)
	if e.Op != ir.Ref { // the name belongs to the value
		s := x.signal(ir.Wire, x.registerName(name, nil), len(bits), attributes)
		s.Unused = true
		x.assign(s, e, nil)
		e = cells.Ref(s)
	}
	x.named[name] = true
	x.Bind(r.cell, bits, e)
	return r
}

// registerName returns the name for a register. An output already has the name of the register
// behind it, and a wire has the name of a register whose contents are not its value.
func (x *module) registerName(name string, start []eda.Bit) string {
	if x.ports[name] != nil {
		name += "_reg"
	}
	if slices.Contains(start, eda.One) {
		name += "_from0"
	}
	return name
}

// oneKind reports whether all nets are different bits of state with the same clock and kind.
func oneKind(bits []eda.Bit, left map[eda.Bit]bit) bool {
	seen := map[eda.Bit]bool{}
	first := left[bits[0]].cell
	for _, q := range bits {
		c := left[q].cell
		if c == nil || seen[q] || c.Type != first.Type || c.Pins["CLK"][0] != first.Pins["CLK"][0] {
			return false
		}
		seen[q] = true
	}
	return true
}
