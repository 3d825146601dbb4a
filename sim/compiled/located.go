package compiled

import (
	"errors"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
	"github.com/hotline-rtl/hotline/sim"
)

// located is a model with the design that it was found for. A model contains no source positions,
// because it would become outdated whenever a line moves. The design supplies the positions of
// assertions.
type located struct {
	Model
	design *ir.Design
	places map[assertion]ir.Pos // nil before the first failure
}

// assertion identifies an assertion by its instance and its text.
type assertion struct{ path, text string }

// Step implements sim.Simulator.
func (s *located) Step() error {
	err := s.Model.Step()
	if err != nil {
		s.locate(err)
	}
	return err
}

// locate adds the source position to the error of a failed assertion.
func (s *located) locate(err error) {
	var failed *sim.AssertionError
	if !errors.As(err, &failed) {
		return
	}
	if s.places == nil {
		s.places = places(s.design)
	}
	failed.Pos = s.places[assertion{failed.Path, failed.Text}]
}

// places returns the positions of the assertions of d. If assertions of one instance have the same
// text, the first one counts.
func places(d *ir.Design) map[assertion]ir.Pos {
	lowered, _ := drivers.Lower(d) // no problems: the model was generated from the same design
	f, _ := netlist.Flatten(lowered)
	out := map[assertion]ir.Pos{}
	for _, c := range f.Checks {
		key := assertion{c.Path, c.Text}
		if _, ok := out[key]; !ok {
			out[key] = c.Pos
		}
	}
	return out
}
