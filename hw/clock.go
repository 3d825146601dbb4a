package hw

import (
	"github.com/hotline-rtl/hotline/hw/enum"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Clock is a clock port with its optional reset. In a record of ports the tag of a Clock contains
// in, and optionally the name of its reset: low marks an active-low reset, async an asynchronous
// reset.
//
//	Write hw.Clock        `hw:"in,name=wr_clk,reset=wr_rst_n,low,async"`
//	Read  hw.Clock        `hw:"in,name=rd_clk"`
//	Push  hw.Stream[word] `hw:"in,clock=Write"`
//
// A module with one such clock follows it. In a module with several clocks, the tag of each port
// names its clock, and Clocked assigns a clock to all other logic.
type Clock struct{ *value }

func (c *Clock) hold(v *value)             { c.value = v }
func (c *Clock) held() *value              { return c.value }
func (*Clock) named() (s enum.Set, _ bool) { return s, false }
func (*Clock) isVector() bool              { return false }

// ResetKind is a property of a reset.
type ResetKind uint8

const (
	Low   ResetKind = iota // active at 0
	Async                  // asynchronous: acts immediately, not at the clock edge
)

// kinds reports which properties a list contains.
func kinds(list []ResetKind) (low, async bool) {
	for _, k := range list {
		low, async = low || k == Low, async || k == Async
	}
	return low, async
}

// Clock declares an input port that is a clock, and an input port for its reset unless reset is
// "".
func (m *Module) Clock(name, reset string, kind ...ResetKind) Clock {
	low, async := kinds(kind)
	return Clock{m.clock(name, reset, low, async, ir.Caller(0))}
}

func (m *Module) clock(name, reset string, low, async bool, pos ir.Pos) *value {
	d := &ir.Domain{Low: low, Async: async}
	m.ir.Domains = append(m.ir.Domains, d)
	d.Clock = m.declare(ir.Input, name, ir.Type{Width: 1}, pos)
	d.Clock.Domain = nil
	if reset != "" {
		d.Reset = m.declare(ir.Input, reset, ir.Type{Width: 1}, pos)
		d.Reset.Domain = nil
	}
	return m.ref(d.Clock, pos)
}

// Clocked runs f. Registers, memories, instances and assertions that f declares follow c.
func (m *Module) Clocked(c Clock, f func()) {
	d := m.domainOf(c, ir.Caller(0))
	outer := m.domain
	m.domain = d
	f()
	m.domain = outer
}

// domainOf returns the domain of a clock of m, or nil after a mistake.
func (m *Module) domainOf(c Clock, pos ir.Pos) *ir.Domain {
	u := m.statement(pos, c.value)
	if u.broken {
		return nil
	}
	for _, d := range m.ir.Domains {
		if c.e != nil && d.Clock == c.e.Sig {
			return d
		}
	}
	m.errorf(pos, "domain", "the clock is not a port of the module; connect the clock of an instance with Set")
	return nil
}

// here returns the domain of new declarations, or nil for the module's own clock.
func (m *Module) here(what, name string, pos ir.Pos) *ir.Domain {
	switch {
	case m.domain != nil || len(m.ir.Domains) == 0:
		return m.domain
	case len(m.ir.Domains) > 1:
		m.errorf(pos, "domain", "%s %q has no clock: the module has %d; describe it in Clocked", what, name, len(m.ir.Domains))
	}
	return m.ir.Domains[0]
}

// settle assigns the only clock of the module to ports without a clock.
func (m *Module) settle() {
	if len(m.ir.Domains) == 0 {
		return
	}
	if clock, _ := m.ir.Clocking(); clock && len(m.el.errs.list) == 0 {
		m.errorf(m.ir.Pos, "domain", "module %s describes state before its clocks", m.ir.Name)
	}
	for _, p := range m.ir.Ports {
		switch {
		case p.Domain != nil || m.clocking(p):
		case len(m.ir.Domains) == 1:
			p.Domain = m.ir.Domains[0]
		default:
			m.errorf(p.Pos, "domain", "port %q has no clock: the module has %d; write clock= in its tag", p.Name, len(m.ir.Domains))
		}
	}
}

// clocking reports whether a port is a clock or the reset of a clock.
func (m *Module) clocking(p *ir.Signal) bool {
	for _, d := range m.ir.Domains {
		if d.Clock == p || d.Reset == p {
			return true
		}
	}
	return false
}

// Set connects a clock of an instance, and its reset, to a clock of the module.
func (c Clock) Set(from Clock) {
	pos := ir.Caller(0)
	u := begin(pos, c.value, from.value)
	if u.m == nil || u.broken {
		return
	}
	m := u.m
	d := m.domainOf(from, pos)
	if d == nil {
		m.el.refused[c.e.Sig] = true
		return
	}
	pin := c.e.Sig.Pin
	if pin == nil {
		m.errorf(pos, "domain", "%s is not a clock of an instance", what(c.value))
		return
	}
	m.connect(c.e.Sig, Bits(from), pos)
	for _, child := range pin.Inst.Of.Domains {
		if child.Clock == pin.Port && child.Reset != nil {
			m.connectReset(pin.Inst, child, d, pos)
		}
	}
}

// connect drives a pin.
func (m *Module) connect(pin *ir.Signal, x Bits, pos ir.Pos) {
	m.scope.Stmts = append(m.scope.Stmts, &ir.Assign{LHS: ir.LValue{Sig: pin}, RHS: x.e, Pos: pos})
}

// connectReset connects the reset of an instance's clock to the reset of a clock of m.
func (m *Module) connectReset(inst *ir.Instance, child, d *ir.Domain, pos ir.Pos) {
	var pin *ir.Signal
	for i, p := range inst.Of.Ports {
		if p == child.Reset {
			pin = inst.Pins[i]
		}
	}
	switch {
	case d.Reset == nil:
		m.errorf(pos, "domain", "clock %q of instance %q has a reset, clock %q has none", child.Name(), inst.Name, d.Name())
		m.el.refused[pin] = true
		return
	case child.Async != d.Async:
		m.errorf(pos, "domain", "the reset of clock %q of instance %q is %s, the reset of clock %q is %s", child.Name(), inst.Name, kindName(child.Async), d.Name(), kindName(d.Async))
		m.el.refused[pin] = true
		return
	}
	rst := Bits{m.ref(d.Reset, pos)}
	if child.Low != d.Low {
		rst = rst.Not()
	}
	m.connect(pin, rst, pos)
}

func kindName(async bool) string {
	if async {
		return "asynchronous"
	}
	return "synchronous"
}
