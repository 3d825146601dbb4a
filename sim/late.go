package sim

import (
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw/ir/late"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// Late wraps a simulator of a design elaborated with hw.LateCrossings and hides the input that
// selects the late clock-domain crossings. For a nonzero seed, every Step makes a random half of
// the crossings late; for seed 0, none. If the design has no crossings, Late returns s.
func Late(s Simulator, seed uint64) Simulator {
	ports := s.Ports()
	last := len(ports) - 1
	if last < 0 || ports[last].Name != late.Port {
		return s
	}
	bits := ports[last].Type.Bits()
	return &lateCrossings{s, ports[:last], Find(s, late.Port), seed != 0, rand.New(rand.NewPCG(seed, 2)), bits}
}

type lateCrossings struct {
	Simulator
	ports []Port
	port  Pin
	on    bool
	rand  *rand.Rand
	bits  int
}

// Ports implements Simulator.
func (s *lateCrossings) Ports() []Port { return s.ports }

// Step implements Simulator.
func (s *lateCrossings) Step() error {
	if s.on {
		x := make([]uint64, len(s.port.buf))
		for i := range x {
			x[i] = s.rand.Uint64()
		}
		bv.Mask(x, s.bits)
		s.port.SetWords(x)
	}
	return s.Simulator.Step()
}
