package experiment

import (
	"errors"

	"github.com/hotline-rtl/hotline/host/device/cycle"
	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/sim"
)

// Accelerator creates the device in the slot of a server.
type Accelerator struct {
	// Name identifies the accelerator in reports: the engine that simulates it, or "functional".
	Name string
	// Level is the instruction set of a compiled model, if it is known.
	Level string
	New   func(s *server.Server) (server.Card, error)
}

// Cycle returns the cycle-accurate accelerator that x simulates. The simulator must be at cycle 0;
// it serves one system of one run.
func Cycle(engine string, x sim.Simulator) Accelerator {
	return Accelerator{engine, "", func(s *server.Server) (server.Card, error) {
		if x.Cycle() != 0 {
			return nil, errors.New("experiment: the simulator of the accelerator has been used; each system needs one of its own")
		}
		return cycle.New(s.Kernel, x, s.Config.Period, s.Config.Endpoint)
	}}
}

// Functional returns the functional model of the accelerator.
func Functional(p arch.Params) Accelerator {
	return Accelerator{"functional", "", func(s *server.Server) (server.Card, error) {
		return functional.New(s.Kernel, p, s.Config.Period, s.Config.Endpoint)
	}}
}

// accelerator returns the part of a report about the accelerator of a system, or nil if the system
// has none.
func (t *trained) accelerator(of Accelerator) (*report.Accelerator, error) {
	h, ok := t.system.(registry.Driving)
	if !ok || !t.fits() {
		return nil, nil
	}
	traffic, use := t.server.Traffic(), h.Use(t.result) // before the counters are read
	counters, err := h.Driver().Counters()
	if err != nil {
		return nil, err
	}
	a := &report.Accelerator{
		Engine: of.Name, Level: of.Level,
		PopularShare: report.Ratio(use.Popular, use.Inputs),
		Lookups:      use.Lookups, LookupsPerCycle: report.Ratio(use.Lookups, int64(counters.LookupCycles)),
		RowsFromGPUs: use.HotRows, RowsFromHost: use.ColdRows, RowsUpdated: use.Updated,
		PCIeBytesUp: traffic.FromCard.WireBytes, PCIeBytesDown: traffic.ToCard.WireBytes,
		LostInterrupts: use.LostInterrupts, Counters: report.Counters(counters),
	}
	if t.faults != nil {
		messages := fault.CountMessages(t.server.Root)
		a.Faults, a.Unused, a.Messages = t.faults.Log(), t.faults.Unused(), &messages
	}
	if c, ok := t.card.(*cycle.Card); ok {
		a.Cycles, a.CyclesSimulated = c.Cycles(), c.Simulated()
	}
	return a, nil
}
