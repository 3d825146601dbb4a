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

// Drive is a test of a running design: it sets inputs, checks outputs and steps. It starts after a
// reset of one cycle with random inputs; all inputs are zero then. It returns an error if the
// design misbehaves. Run and Resets call it several times, with different values in state without a
// reset.
type Drive func(s sim.Simulator) error

// Random returns a Drive that applies random inputs and resets for the given number of cycles and
// checks nothing.
func Random(cycles uint64) Drive {
	return func(s sim.Simulator) error {
		return sim.Drive(s, sim.Random(sim.NewFormat(s.Ports()), 1), cycles)
	}
}

// Run tests a design with drive and compares all engines. It checks that
//
//   - every signal is read (ir.Unread);
//   - the Verilog tools print no warnings;
//   - drive returns no error on the interpreter, and streams keep the rules of hw.Stream there;
//   - every other engine has the same outputs in every cycle, for the same random state and the
//     same inputs;
//   - outputs are known after the reset even if all state is initially unknown.
//
// The check for unknown outputs compares the payload of streams (sim.StreamPayload) only while it
// is valid. It compares an output in the domain of a clock port only while the reset of that clock
// is inactive.
//
// A design with synchronisers also runs with randomly late crossings (hw.LateCrossings), in drive
// and in all engines. The function drive must not depend on the delay of a synchroniser.
//
// Engines are built in parallel, once per design (gen/buildcache). With go test -v, each engine
// logs a line. With go test -short, only the interpreter runs. HOTLINE_QUICK=1 in the environment
// skips Verilator, the warnings and the unknown state. This level is for quick feedback while
// writing a design.
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

// late runs drive on g with late crossings and returns the comparisons of that design.
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

// record runs drive after a reset and returns the inputs of every cycle. It returns drive's error.
// Inputs are random during the reset, because they must not matter. For seed 0 they are zero, so
// that state they would initialise stays unknown.
func record(d *ir.Design, seed uint64, drive Drive) ([]byte, error) {
	s, err := interpreter(d, seed)
	if err != nil {
		return nil, err
	}
	var inputs bytes.Buffer
	r := sim.NewRecorder(newHandshake(d, s), sim.Hash(d), &inputs)
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
