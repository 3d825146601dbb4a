package designs

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/sim"
)

// stimulus is a random stimulus whose reset drives the reset input of a design.
type stimulus struct {
	sim.Stimulus
	reset sim.Field
	low   uint64
}

// stimulus returns the inputs of the design: a reset at the start and rarely later, and random
// values.
func (d Description) stimulus(f *sim.Format, seed uint64) (sim.Stimulus, error) {
	s := stimulus{Stimulus: sim.Random(f, seed)}
	if d.Low {
		s.low = 1
	}
	for _, x := range f.In {
		if f.Ports[x.Port].Name == strings.ToLower(d.Reset) {
			s.reset = x
			return s, nil
		}
	}
	return nil, fmt.Errorf("%s is not an input of the design", d.Reset)
}

// Next implements sim.Stimulus.
func (s stimulus) Next(frame []uint64) error {
	err := s.Stimulus.Next(frame)
	s.reset.Of(frame)[0] = frame[0]&1 ^ s.low
	return err
}
