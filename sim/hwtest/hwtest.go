package hwtest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// Drive is a test of a running design: it sets inputs, looks at outputs and steps.
// It begins behind a reset of one cycle, in which inputs were random; now they are
// zero. The error says what is wrong. It may be called several times, with other values in what is not reset.
type Drive func(s sim.Simulator) error

// Random is a Drive of so many cycles with random inputs and resets, which looks at
// nothing.
func Random(cycles uint64) Drive {
	return func(s sim.Simulator) error {
		return sim.Drive(s, sim.Random(sim.NewFormat(s.Ports()), 1), cycles)
	}
}

// Run holds a design to drive and all engines to each other:
//
//   - something reads each signal (ir.Unread);
//   - the Verilog tools print no warning;
//   - drive finds no mistake on the interpreter;
//   - every other engine, from the same random state and given the same inputs, has the
//     same outputs in every cycle;
//   - after the reset, outputs are known although all state begins unknown. The payload of
//     streams (sim.StreamPayload) counts only while it is valid, and outputs that follow a
//     clock that is a port only while the reset of that clock is not active.
//
// A design with synchronisers goes through drive and all engines again with crossings
// that are late at random (hw.LateCrossings): drive may not count on the delay of one.
//
// Engines are built in parallel, once for each design (gen/buildcache). With go test -v,
// each prints a line. With go test -short, only the interpreter runs. With HOTLINE_QUICK=1
// in the environment, Verilator, the warnings and the unknown state are left out: the
// level for the minutes in which a design is being written.
func Run[P any](t testing.TB, g hw.Generator[P], drive Drive) {
	t.Helper()
	d, err := hw.Elaborate(g)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ir.Unread(d) {
		t.Error(p)
	}
	var inputs [2][]byte
	for seed := range inputs {
		if inputs[seed], err = record(d, uint64(seed), drive); err != nil {
			t.Fatal(err)
		}
	}
	plan := []comparison{}
	for _, e := range chosen() {
		plan = append(plan, comparison{design: d, engine: e, inputs: inputs[1]})
	}
	if !quick() {
		plan = append(plan, comparison{design: d, engine: fourState, inputs: inputs[0]})
	}
	if crosses(d) {
		plan = append(plan, late(t, g, drive)...)
	}
	if testing.Short() {
		return
	}
	all := start(plan)
	if !quick() {
		verilogtest.Silent(t, d)
	}
	all.report(t)
}

// late runs drive on g with late crossings, and returns the comparisons of that design.
func late[P any](t testing.TB, g hw.Generator[P], drive Drive) (plan []comparison) {
	t.Helper()
	d, err := hw.Elaborate(g, hw.LateCrossings())
	if err != nil {
		t.Fatal(err)
	}
	inputs, err := record(d, 1, drive)
	if err != nil {
		t.Fatalf("with late crossings: %v", err)
	}
	for _, e := range chosen() {
		plan = append(plan, comparison{design: d, engine: e, inputs: inputs, note: ", with late crossings"})
	}
	return plan
}

// crosses reports whether d has a synchroniser.
func crosses(d *ir.Design) bool {
	return slices.ContainsFunc(d.Modules, func(m *ir.Module) bool {
		found := false
		m.Body.Walk(func(s *ir.Scope) {
			found = found || slices.ContainsFunc(s.Signals, func(g *ir.Signal) bool { return g.Crosses.Synchronises() })
		})
		return found
	})
}

// interpreter returns an interpreter of d in a random state.
func interpreter(d *ir.Design, seed uint64) (*interp.Sim, error) {
	s, err := interp.New(d)
	if err == nil {
		sim.PowerUp(s, seed)
	}
	return s, err
}

// record runs drive behind a reset and gives the inputs of every cycle. The error
// is that of drive. In the reset inputs are random: they may not matter. Those of
// seed 0 are zero, so that what they would give a known value stays unknown.
func record(d *ir.Design, seed uint64, drive Drive) ([]byte, error) {
	s, err := interpreter(d, seed)
	if err != nil {
		return nil, err
	}
	var inputs bytes.Buffer
	r := sim.NewRecorder(s, sim.Hash(d), &inputs)
	if seed == 0 {
		r.SetReset(true)
		err = r.Step()
		r.SetReset(false)
	} else {
		err = bench.ResetCycle(r, seed)
	}
	if err == nil {
		err = drive(sim.Late(r, seed))
	}
	if err != nil {
		err = fmt.Errorf("cycle %d: %w", s.Cycle(), err)
	}
	err = errors.Join(err, r.Close())
	return inputs.Bytes(), err
}
