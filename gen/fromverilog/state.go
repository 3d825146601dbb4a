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
	{"$dlatch", "a latch; assign the signal on every path"},
	{"$adlatch", "a latch with a reset; assign the signal on every path"},
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

// register is a register and the nets of its next value.
type register struct {
	sig  *ir.Signal
	bits []eda.Bit
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
	declare := func(name string, bits []eda.Bit) {
		s := x.signal(ir.Reg, name, len(bits))
		first := left[bits[0]].cell
		s.Domain, s.HasReset = x.domain(first.Pins["CLK"][0]), first.Type == "$adff"
		if s.HasReset {
			s.Init = make([]uint64, ir.Words(len(bits)))
		}
		r := register{sig: s}
		for i, q := range bits {
			f := left[q]
			x.startsAtZero(q)
			r.bits = append(r.bits, f.cell.Pins["D"][f.at])
			if value := f.cell.Parameters["ARST_VALUE"]; s.HasReset && value[len(value)-1-f.at] == '1' {
				s.Init[i/64] |= 1 << (i % 64)
			}
			delete(left, q)
		}
		x.Bind(first, bits, cells.Ref(s))
		next = append(next, r)
	}
	for _, name := range x.nets() {
		if n := x.m.Nets[name]; n.Hidden == 0 && oneKind(n.Bits, left) {
			x.named[name] = true
			declare(x.registerName(name), n.Bits)
		}
	}
	for _, c := range x.cells() {
		for _, q := range c.Pins["Q"] {
			if flipFlop(c) && left[q].cell == c {
				declare(x.netName(q), []eda.Bit{q})
			}
		}
	}
	return next
}

// startsAtZero refuses a net with an initial value other than 0.
func (x *module) startsAtZero(b eda.Bit) {
	for _, name := range x.nets() {
		n := x.m.Nets[name]
		init := n.Attributes["init"]
		if i := slices.Index(n.Bits, b); i >= 0 && i < len(init) && init[len(init)-1-i] == '1' {
			x.failAt(name, "%s has initial value %s; state starts at 0", name, init)
		}
	}
}

// registerName returns the name for the register behind an output, which has the name already.
func (x *module) registerName(name string) string {
	if x.ports[name] != nil {
		return name + "_reg"
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
