package hwtest

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/external"
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

// Run elaborates g and requires that something reads all its signals (ir.Unread), that
// the Verilog tools have nothing to say about it, that drive finds no mistake, on the interpreter, and that every other engine,
// from the same random state and given the same inputs, has the same outputs in
// every cycle. From an unknown state outputs must become known by the reset;
// the payload of streams (sim.StreamPayload) counts only while it is valid. Outputs that
// follow a clock that is a port count while its reset is not active, which drive is for.
// A design with synchronisers goes through drive and all engines once more with crossings
// that are late at random (hw.LateCrossings): drive may not count on the delay of one.
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
	if crosses(d) {
		late(t, g, drive)
	}
	if testing.Short() {
		return
	}
	verilogtest.Silent(t, d)
	for _, e := range engines {
		if err := agree(d, e, inputs[1]); err != nil {
			t.Errorf("%s: %v", e.name, err)
		}
	}
	if err := agree(d, fourState, inputs[0]); err != nil {
		t.Errorf("%s: %v", fourState.name, err)
	}
}

// late runs drive on g with late crossings, and then all engines.
func late[P any](t testing.TB, g hw.Generator[P], drive Drive) {
	t.Helper()
	d, err := hw.Elaborate(g, hw.LateCrossings())
	if err != nil {
		t.Fatal(err)
	}
	inputs, err := record(d, 1, drive)
	if err != nil {
		t.Fatalf("with late crossings: %v", err)
	}
	if testing.Short() {
		return
	}
	for _, e := range engines {
		if err := agree(d, e, inputs); err != nil {
			t.Errorf("%s, with late crossings: %v", e.name, err)
		}
	}
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

// engine is one that is compared with the interpreter.
type engine struct {
	name    string
	start   func(d *ir.Design, dir string) (external.Engine, error)
	unknown bool // begins in an unknown state
}

var engines = []engine{
	{"compiled model", external.Model, false},
	{"Verilator", process(external.Verilator), false},
	{"Icarus Verilog", process(external.Icarus), false},
}

var fourState = engine{"Icarus Verilog from an unknown state", process(external.FourState), true}

// process starts a Verilog simulator.
func process(start func(*ir.Design, string) (*external.Process, error)) func(*ir.Design, string) (external.Engine, error) {
	return func(d *ir.Design, dir string) (external.Engine, error) { return start(d, dir) }
}

// start is an interpreter of d in a random state.
func start(d *ir.Design, seed uint64) (*interp.Sim, error) {
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
	s, err := start(d, seed)
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

// agree gives the inputs to the interpreter and to e. The error is their first
// difference, or that of an engine.
func agree(d *ir.Design, e engine, inputs []byte) error {
	reference, err := start(d, 1)
	if err != nil {
		return err
	}
	other, err := e.start(d, "")
	if err != nil {
		return fmt.Errorf("%w\n(go test -short runs the interpreter alone)", err)
	}
	defer other.Close()
	v := sim.Verification{Design: d, Cycles: math.MaxUint64,
		A: sim.NamedBatch{Name: "interpreter", Batch: sim.NewBlocks(reference)}, B: sim.NamedBatch{Name: e.name, Batch: other}}
	if e.unknown {
		v.Payload = meant(d, other.Ports())
	} else {
		sim.PowerUp(other, 1)
	}
	if v.Stimulus, err = sim.NewTrace(bytes.NewReader(inputs), sim.NewFormat(other.Ports())); err != nil {
		return err
	}
	report, err := v.Run()
	if err == nil && report.First != nil {
		err = report.First
	}
	return err
}

// meant says when outputs count that begin unknown.
func meant(d *ir.Design, ports []sim.Port) sim.Payload {
	p := sim.StreamPayload(ports, nil)
	for _, g := range d.Top.Ports {
		if g.Kind != ir.Output || p[g.Name] != "" || g.Domain == nil || g.Domain.Reset == nil {
			continue
		}
		p[g.Name] = sim.Unless(g.Domain.Reset.Name)
		if g.Domain.Low {
			p[g.Name] = g.Domain.Reset.Name
		}
	}
	return p
}
