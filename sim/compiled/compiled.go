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
	// Level is that of the instructions which it computes with.
	Level() model.Level
	sim.Inspector
	sim.Writable
	sim.Skipper
	sim.Framed
	// Record gives ports and registers to r in every Step from now on. Registers
	// that no output, memory or assertion depends on are not in a model.
	Record(r wave.Recorder) error
}

// Find is a new model of d at the best level of this processor; false if the program
// has none of exactly this design, or if foreign Verilog in it has no model in Go.
func Find(d *ir.Design) (Model, bool) { return FindAt(d, model.Best) }

// FindAt is Find for a level that this processor has (see model.Level.Check).
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

// LevelOf is the name of the level of a model, and empty for any other simulator.
func LevelOf(s sim.Simulator) string {
	if m, ok := s.(Model); ok {
		return m.Level().String()
	}
	return ""
}

// New runs d by its model, or by the interpreter if the program has none. The
// note says which, for people. The error is of a design that elaboration has not
// checked.
func New(d *ir.Design) (s sim.Simulator, note string, err error) {
	if s, ok := Find(d); ok {
		return s, "compiled: generated Go for this very design", nil
	}
	s, err = interp.New(d)
	return s, fmt.Sprintf("interpreted: no model of design %.12s is part of this program", ir.Hash(d)), err
}
