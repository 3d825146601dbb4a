package compiled

import (
	"errors"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
	"github.com/hotline-rtl/hotline/sim"
)

// located is a model together with the design that it was found for, which
// knows what the model leaves out lest it goes stale with every line that moves:
// where assertions stand.
type located struct {
	Model
	design *ir.Design
	places map[assertion]ir.Pos // nil before the first failure
}

// assertion identifies an assertion: the instance and what it says.
type assertion struct{ path, text string }

// Step implements sim.Simulator.
func (s *located) Step() error {
	err := s.Model.Step()
	if err != nil {
		s.locate(err)
	}
	return err
}

// locate completes the error of a failed assertion.
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

// places are the positions of the assertions of d; of several in one place that
// say the same, that of the first.
func places(d *ir.Design) map[assertion]ir.Pos {
	lowered, _ := drivers.Lower(d) // the model was made from it, so there are no problems
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
