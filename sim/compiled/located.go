package compiled

import (
	"errors"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/flat"
	"github.com/hotline-rtl/hotline/hw/ir/net"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// located is a model together with the design that it was found for, which
// knows what the model leaves out lest it goes stale with every line that moves:
// where assertions stand. It also knows the top's name.
type located struct {
	Model
	design *ir.Design
	reset  bool
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
	lowered, _ := net.Lower(d) // the model was made from it, so there are no problems
	f, _ := flat.Flatten(lowered)
	out := map[assertion]ir.Pos{}
	for _, c := range f.Checks {
		key := assertion{c.Path, c.Text}
		if _, ok := out[key]; !ok {
			out[key] = c.Pos
		}
	}
	return out
}

// SetReset implements sim.Simulator.
func (s *located) SetReset(on bool) {
	s.reset = on
	s.Model.SetReset(on)
}

// Record implements Model.
func (s *located) Record(r wave.Recorder) error {
	if s.design.Top.Reset {
		r = &withReset{Recorder: r, s: s}
	}
	return s.Model.Record(named{r, s.design.Top.Name})
}

// named is a wave.Recorder that gives the top its name.
type named struct {
	wave.Recorder
	top string
}

func (n named) Begin(_ string, signals []wave.Signal) error { return n.Recorder.Begin(n.top, signals) }

// withReset is a wave.Recorder with rst as one more signal, the last.
type withReset struct {
	wave.Recorder
	s      *located
	signal int
	begun  bool
	last   bool
}

func (w *withReset) Begin(top string, signals []wave.Signal) error {
	w.signal = len(signals)
	return w.Recorder.Begin(top, append(signals, wave.Signal{Path: []string{"rst"}, Width: 1}))
}

func (w *withReset) Cycle(n uint64) {
	w.Recorder.Cycle(n)
	if w.begun && w.last == w.s.reset {
		return
	}
	w.begun, w.last = true, w.s.reset
	value := []uint64{0}
	if w.last {
		value[0] = 1
	}
	w.Change(w.signal, value)
}
