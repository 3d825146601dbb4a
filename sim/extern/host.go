package extern

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// Engine has the ports of a netlist.Design.
type Engine interface {
	Set(port int, value []uint64)
	// Get evaluates the combinational logic of the engine, without the models.
	Get(port int, value []uint64)
}

// Host runs the models of a design together with an engine.
type Host struct {
	engine  Engine
	sockets []*socket
	failed  error // first error, returned by After
}

// NewHost returns a host with the models of d for an engine, or nil if d has no external modules.
// The error names a module without a model.
func NewHost(d *netlist.Design, engine Engine) (*Host, error) {
	if len(d.Externs) == 0 {
		return nil, nil
	}
	h := &Host{engine: engine}
	for _, x := range d.Externs {
		if x.Module.Extern.Model == nil {
			return nil, missing(x.Module)
		}
		h.sockets = append(h.sockets, newSocket(x))
	}
	return h, nil
}

func missing(m *ir.Module) error {
	return fmt.Errorf("%s: %s: [extern] black box %s has no model in Go, which engines in Go need; add one with hw.Behave, or run the design in Verilator or Icarus Verilog", m.Pos, m.Name, m.Extern.Module)
}

// Settle evaluates models and engine until they reach a fixed point.
func (h *Host) Settle() {
	for range 2*len(h.sockets) + 2 {
		changed := false
		for _, s := range h.sockets {
			changed = h.settle(s) || changed
		}
		if !changed {
			return
		}
	}
	h.fail(errors.New("extern: models and design do not reach a fixed point"))
}

// settle runs the model of s if its inputs have changed, and reports whether an output changed.
func (h *Host) settle(s *socket) bool {
	h.load(s)
	first := !s.begun
	if !first && len(s.news) == 0 {
		return false
	}
	s.begun = true
	s.behaviour.Eval()
	return h.store(s, first)
}

// load reads the inputs of s from the engine and records which have changed.
func (h *Host) load(s *socket) {
	s.news = s.news[:0]
	for _, t := range s.terminals {
		if t.input {
			h.engine.Get(t.port, t.buf)
			if t.changed() {
				s.news = append(s.news, t.sig)
			}
		}
	}
}

// store transfers the changed outputs of s to the engine. If the model has a new state, any output
// may have changed.
func (h *Host) store(s *socket, state bool) (changed bool) {
	for _, t := range s.terminals {
		if !t.input && t.changed() {
			if !state && !s.follows(t.sig) {
				h.fail(fmt.Errorf("%s: %s: [extern] the model of %s changes output %q with input %q, and no Path says that it depends on it", s.at.Module.Pos, s.at.Module.Name, s.at.Path, t.sig.Name, s.news[0].Name))
			}
			h.engine.Set(t.port, t.buf)
			changed = true
		}
	}
	return changed
}

func (h *Host) fail(err error) {
	if h.failed == nil {
		h.failed = err
	}
}

// Before records which models have a clock edge in the following step; reset is the engine's reset.
// The logic must be at a fixed point.
func (h *Host) Before(reset bool) {
	for _, s := range h.sockets {
		s.ticks = s.at.Module.Clock && h.bit(s.at.Tick, true)
		s.resets = s.at.Module.Reset && (h.bit(s.at.Reset, false) || s.at.Tick < 0 && reset)
		for _, t := range s.terminals {
			s.ticks = s.ticks || t.input && s.at.Module.IsClock(t.sig) && t.buf[0] == 1
		}
	}
}

// bit returns the value of a one-bit port, or none if there is no such port.
func (h *Host) bit(port int, none bool) bool {
	if port < 0 {
		return none
	}
	var v [1]uint64
	h.engine.Get(port, v[:])
	return v[0] == 1
}

// After steps the models after a step of the engine. It returns the first error of a model so far.
func (h *Host) After() error {
	for _, s := range h.sockets {
		if s.ticks {
			s.behaviour.Step(s.resets)
			s.behaviour.Eval()
			h.store(s, true)
		}
	}
	return h.failed
}
