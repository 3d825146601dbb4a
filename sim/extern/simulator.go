package extern

import (
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
	"github.com/hotline-rtl/hotline/sim"
)

// Simulator combines an engine, whose ports are the ports of a netlist.Design, with the models of
// external modules. It implements sim.Simulator with the ports of the top module.
type Simulator struct {
	sim.Simulator
	host  *Host
	ports []sim.Port
	reset bool
}

// Wrap adds models to s, an engine of d. The design d must contain external modules. The error
// names a module without a model.
func Wrap(d *ir.Design, s sim.Simulator) (*Simulator, error) {
	lowered, _ := drivers.Lower(d) // no problems: the engine was made from the same design
	f, _ := netlist.Flatten(lowered)
	host, err := NewHost(f, s)
	if err != nil {
		return nil, err
	}
	return &Simulator{Simulator: s, host: host, ports: sim.PortsOf(d)}, nil
}

// Ports implements sim.Simulator.
func (s *Simulator) Ports() []sim.Port { return s.ports }

// Get implements sim.Simulator.
func (s *Simulator) Get(port int, value []uint64) {
	s.host.Settle()
	s.Simulator.Get(port, value)
}

// SetReset implements sim.Simulator.
func (s *Simulator) SetReset(on bool) {
	s.reset = on
	s.Simulator.SetReset(on)
}

// Step implements sim.Simulator.
func (s *Simulator) Step() error {
	s.host.Settle()
	s.host.Before(s.reset)
	err := s.Simulator.Step()
	if failed := s.host.After(); err == nil {
		err = failed
	}
	return err
}

// Quiet implements sim.Simulator. It returns false, because a model may change at any step.
func (s *Simulator) Quiet() bool { return false }
