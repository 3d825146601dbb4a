package compiled

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// Model is a generated model.
type Model interface {
	// Level returns the instruction set level that the model uses.
	Level() model.Level
	sim.Inspector
	sim.Writable
	sim.Skipper
	sim.Framed
	// Record sends ports and registers to r in every Step from now on. A model does not contain
	// registers that no output, memory or assertion depends on.
	Record(r wave.Recorder) error
}

// Find returns a new model of d at the highest level of this processor. It returns false if the
// program contains no model of exactly this design, or if an external module in d has no Go model.
func Find(d *ir.Design) (Model, bool) { return FindAt(d, model.Best) }

// FindAt works like Find, at a level that this processor supports (see model.Level.Check).
func FindAt(d *ir.Design, l model.Level) (Model, bool) {
	s, ok := model.Lookup(ir.Hash(d), l)
	if !ok {
		return nil, false
	}
	m, err := Host(d, s.(Model))
	if err != nil {
		return nil, false
	}
	return &located{Model: m, design: d}, true
}

// LevelOf returns the name of the level of a model, or an empty string for any other simulator.
func LevelOf(s sim.Simulator) string {
	if m, ok := s.(Model); ok {
		return m.Level().String()
	}
	return ""
}

// New returns a simulator of d: its model, or the interpreter if the program has no model. The note
// describes the choice for people. New fails if elaboration did not check the design.
func New(d *ir.Design) (s sim.Simulator, note string, err error) {
	if s, ok := Find(d); ok {
		return s, "compiled: generated Go for this very design", nil
	}
	s, err = interp.New(d)
	return s, fmt.Sprintf("interpreted: no model of design %.12s is part of this program", ir.Hash(d)), err
}
