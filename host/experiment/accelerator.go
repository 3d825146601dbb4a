package experiment

import (
	"errors"

	"github.com/hotline-rtl/hotline/host/accel"
	"github.com/hotline-rtl/hotline/host/card"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/sim"
)

// Accelerator makes what is put into the slot of a machine.
type Accelerator struct {
	// Name as in reports: the engine that simulates it, or "functional".
	Name string
	New  func(s *server.Server) (server.Card, error)
}

// Cycle is the hardware on a simulator at its first cycle, which serves one
// system of one run.
func Cycle(engine string, x sim.Simulator) Accelerator {
	return Accelerator{engine, func(s *server.Server) (server.Card, error) {
		if x.Cycle() != 0 {
			return nil, errors.New("experiment: the simulator of the accelerator has been used; each system needs one of its own")
		}
		return card.New(s.Kernel, x, s.Config.Period, s.Config.Endpoint)
	}}
}

// Functional is the functional model of the accelerator.
func Functional(p arch.Params) Accelerator {
	return Accelerator{"functional", func(s *server.Server) (server.Card, error) {
		return accel.New(s.Kernel, p, s.Config.Period, s.Config.Endpoint)
	}}
}
