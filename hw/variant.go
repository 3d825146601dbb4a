package hw

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Option configures Elaborate.
type Option func(*elaboration)

// DefaultClock names the clock of modules without a hw.Clock. The default is clk.
func DefaultClock(name string) Option { return func(el *elaboration) { el.own.Clock = name } }

// DefaultReset names the reset of modules without a hw.Clock and sets its properties. The default
// is rst, synchronous and active high. With an asynchronous reset, simulators see the clock and
// the reset of the top module as ports.
func DefaultReset(name string, kind ...ResetKind) Option {
	return func(el *elaboration) {
		el.own.Reset = name
		el.own.Low, el.own.Async = kinds(kind)
	}
}

// LateCrossings adds an input to the design with one bit per synchroniser, over all instances.
// While its bit is 1, a synchroniser captures its value one cycle later (late.Port). The input is
// the last port. sim.Late drives it at random and hides it. A design without synchronisers is
// unchanged.
func LateCrossings() Option { return func(el *elaboration) { el.late = true } }

// expose makes the own clock of the top module a port if its reset is asynchronous. Simulators
// treat resets that act between edges as values and therefore need the clock.
func (m *Module) expose() {
	own := m.ir.Own
	if _, resets := m.ir.Clocking(); !own.Async || !resets || len(m.ir.Domains) > 0 {
		return
	}
	port := func(name string) *ir.Signal {
		return &ir.Signal{Name: name, Kind: ir.Input, Type: ir.Type{Width: 1}, Scope: m.ir.Body, Pos: m.ir.Pos}
	}
	d := &ir.Domain{Clock: port(own.ClockName()), Reset: port(own.ResetName()), Low: own.Low, Async: true}
	m.ir.Domains = []*ir.Domain{d}
	m.ir.Ports = append([]*ir.Signal{d.Clock, d.Reset}, m.ir.Ports...)
	m.ir.Body.Signals = append([]*ir.Signal{d.Clock, d.Reset}, m.ir.Body.Signals...)
	m.ir.Body.Walk(func(s *ir.Scope) {
		for _, g := range s.Signals {
			if g.Kind == ir.Reg {
				g.Domain = d
			}
		}
		for _, x := range s.Mems {
			x.Domain = d
		}
		for _, in := range s.Insts {
			if in.Of.Clock {
				in.Domain = d
			}
		}
		ir.WalkStmts(s.Stmts, func(st ir.Stmt) {
			if a, ok := st.(*ir.Assert); ok {
				a.Domain = d
			}
		})
	})
}

// variant is a module for one kind of own reset.
type variant struct {
	g     any
	async bool
}

// child builds the module of an instance and determines the clock that the module uses as its own.
// Only a module with a reset of its own needs a variant for another kind of reset.
func (m *Module) child(name string, g any, run func(any, *Module) any, pos ir.Pos) (*built, *ir.Domain) {
	b := m.el.build(variant{g, m.el.own.Async}, run, pos)
	if !b.module.Clock {
		return b, nil
	}
	d := m.here("instance", name, pos)
	async := m.ir.Own.Async
	if d != nil {
		async = d.Async
	}
	switch {
	case b.module.Reset && d != nil && d.Reset == nil:
		m.errorf(pos, "domain", "instance %q has registers with a reset and follows clock %q, which has none", name, d.Name())
	case b.module.Reset && async != m.el.own.Async:
		b = m.el.build(variant{g, async}, run, pos)
	}
	return b, d
}

// sortOut keeps the modules that the top needs and returns them. It keeps modules as Probes if they
// show how the Verilog of a needed family depends on its parameter.
func (el *elaboration) sortOut() (used map[*ir.Module]bool) {
	used = needed(el.design.Modules, func(m *ir.Module) bool { return m == el.design.Top })
	family, wanted := map[*ir.Module]variant{}, map[variant]bool{}
	for _, b := range el.all {
		if b.module.Generic != nil {
			family[b.module] = b.family
			wanted[b.family] = wanted[b.family] || used[b.module]
		}
	}
	probes := needed(el.design.Modules, func(m *ir.Module) bool { return m.Generic != nil && wanted[family[m]] })
	for _, m := range el.design.Modules {
		if probes[m] && !used[m] {
			el.design.Probes = append(el.design.Probes, m)
		}
	}
	el.design.Modules = slices.DeleteFunc(el.design.Modules, func(m *ir.Module) bool { return !used[m] })
	return used
}

// needed returns the wanted modules and all modules that they instantiate. In list, callees
// precede their callers.
func needed(list []*ir.Module, wanted func(*ir.Module) bool) map[*ir.Module]bool {
	out := map[*ir.Module]bool{}
	for _, m := range slices.Backward(list) {
		if out[m] = out[m] || wanted(m); !out[m] {
			delete(out, m)
			continue
		}
		m.Body.Walk(func(s *ir.Scope) {
			for _, in := range s.Insts {
				out[in.Of] = true
			}
		})
	}
	return out
}
