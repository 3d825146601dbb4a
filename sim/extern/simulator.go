package extern

import (
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
	"github.com/hotline-rtl/hotline/sim"
)

// Simulator is an engine whose ports are those of a netlist.Design, together with models. It
// implements sim.Simulator, with the ports of the top module.
type Simulator struct {
	sim.Simulator
	host  *Host
	ports []sim.Port
	reset bool
}

// Wrap gives s, an engine of d, which has foreign Verilog, the models. The error names a
// module that has none.
func Wrap(d *ir.Design, s sim.Simulator) (*Simulator, error) {
	lowered, _ := drivers.Lower(d) // the engine was made from it, so there are no problems
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

// Quiet implements sim.Simulator. Nobody knows it of a model.
func (s *Simulator) Quiet() bool { return false }
