package hwtest

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/external"
)

// engine is an engine that is compared with the interpreter.
type engine struct {
	name    string
	start   func(d *ir.Design, dir string) (external.Engine, error)
	unknown bool // all state is initially unknown
}

var (
	compiledModel = engine{"compiled model", external.Model, false}
	verilator     = engine{"Verilator", process(unoptimized), false}
	icarus        = engine{"Icarus Verilog", process(external.Icarus), false}
	fourState     = engine{"Icarus Verilog from an unknown state", process(external.FourState), true}
)

// quick reports whether the environment selects the quick level.
func quick() bool { return os.Getenv("HOTLINE_QUICK") != "" }

// chosen returns the engines whose initial state is known.
func chosen() []engine {
	if quick() {
		return []engine{compiledModel, icarus}
	}
	return []engine{compiledModel, verilator, icarus}
}

// process converts the type of a function that starts a Verilog simulator.
func process(start func(*ir.Design, string) (*external.Process, error)) func(*ir.Design, string) (external.Engine, error) {
	return func(d *ir.Design, dir string) (external.Engine, error) { return start(d, dir) }
}

// common builds the Verilator runtime once, for all programs.
var common = sync.OnceValues(func() (*external.Unoptimized, error) { return external.NewUnoptimized("") })

// unoptimized starts Verilator with an unoptimized program, because tests are short.
func unoptimized(d *ir.Design, dir string) (*external.Process, error) {
	u, err := common()
	if err != nil {
		return nil, err
	}
	return u.Verilator(d, dir)
}

// comparison runs the same inputs on the interpreter and on an engine and compares their outputs.
type comparison struct {
	design *ir.Design
	engine engine
	inputs []byte
	note   string // special property of the design, for messages

	cycles   uint64
	building time.Duration
	err      error
}

// comparisons is a list of comparisons that run in parallel.
type comparisons struct {
	list []comparison
	done sync.WaitGroup
}

// start starts all comparisons of a plan.
func start(plan []comparison) *comparisons {
	all := &comparisons{list: plan}
	for i := range all.list {
		all.done.Go(all.list[i].run)
	}
	return all
}

// report waits for all comparisons and reports them, in the order of the plan.
func (all *comparisons) report(t testing.TB) {
	t.Helper()
	all.done.Wait()
	for _, c := range all.list {
		name := c.engine.name + c.note
		if c.err != nil {
			t.Errorf("%s: %v", name, c.err)
			continue
		}
		t.Logf("%s: %d cycles as the interpreter (ready after %.1f s)", name, c.cycles, c.building.Seconds())
	}
}

// run sets err to the first difference or to the engine's error.
func (c *comparison) run() {
	reference, err := interpreter(c.design, 1)
	if err != nil {
		c.err = err
		return
	}
	begin := time.Now()
	other, err := c.engine.start(c.design, "")
	c.building = time.Since(begin)
	if err != nil {
		c.err = fmt.Errorf("%w\n(go test -short runs the interpreter alone)", err)
		return
	}
	defer other.Close()
	v := sim.Verification{Design: c.design, Cycles: math.MaxUint64,
		A: sim.NamedBatch{Name: "interpreter", Batch: sim.NewBlocks(reference)}, B: sim.NamedBatch{Name: c.engine.name, Batch: other}}
	if c.engine.unknown {
		v.Payload = meant(c.design, other.Ports())
	} else {
		sim.PowerUp(other, 1)
	}
	if v.Stimulus, c.err = sim.NewTrace(bytes.NewReader(c.inputs), sim.NewFormat(other.Ports())); c.err != nil {
		return
	}
	report, err := v.Run()
	if c.err = err; err == nil && report.First != nil {
		c.err = report.First
	}
	c.cycles = report.Cycles
}

// meant returns the conditions under which outputs with unknown initial values are compared.
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
