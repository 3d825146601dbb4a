package compiled

import (
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/extern"
)

// hosted combines a model of a design with the models of its external modules.
type hosted struct {
	Model
	s      *extern.Simulator
	format *sim.Format
}

// Host adds the models of the external modules in d to m, a generated model of d. The error names a
// module without a model.
func Host(d *ir.Design, m Model) (Model, error) {
	if !d.HasExterns() {
		return m, nil
	}
	s, err := extern.Wrap(d, m)
	if err != nil {
		return nil, err
	}
	return &hosted{m, s, sim.NewFormat(s.Ports())}, nil
}

// Ports implements sim.Simulator.
func (h *hosted) Ports() []sim.Port { return h.s.Ports() }

// Get implements sim.Simulator.
func (h *hosted) Get(port int, value []uint64) { h.s.Get(port, value) }

// SetReset implements sim.Simulator.
func (h *hosted) SetReset(on bool) { h.s.SetReset(on) }

// Step implements sim.Simulator.
func (h *hosted) Step() error { return h.s.Step() }

// Quiet implements sim.Simulator.
func (h *hosted) Quiet() bool { return h.s.Quiet() }

// SetFrame implements sim.Framed.
func (h *hosted) SetFrame(in []uint64) {
	h.SetReset(in[0]&1 == 1)
	for _, x := range h.format.In {
		h.Set(x.Port, x.Of(in))
	}
}

// GetFrame implements sim.Framed.
func (h *hosted) GetFrame(out []uint64) {
	for _, x := range h.format.Out {
		h.Get(x.Port, x.Of(out))
	}
}
