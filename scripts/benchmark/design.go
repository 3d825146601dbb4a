package main

import (
	"bytes"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/cosim"
	"github.com/hotline-rtl/hotline/host/rec/data"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/isa"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
	_ "github.com/hotline-rtl/hotline/sim/models"
)

// design is one to be measured.
type design struct {
	name    string
	make    func() (*ir.Design, error)
	stimuli func(settings, *ir.Design) ([]stimulus, error)
}

// designs are the accelerator at paper scale and each of its blocks.
func designs() []design {
	p := arch.Paper()
	return []design{
		{"hotline", elaborate(top.Hotline{Params: p}), hotlineStimuli},
		{"lookup", elaborate(lookup.Lookup{Params: p}), randomStimulus},
		{"eal", elaborate(eal.EAL{Params: p}), randomStimulus},
		{"dispatch", elaborate(dispatch.Dispatch{Params: p}), randomStimulus},
		{"reduce", elaborate(reduce.Reduce{Params: p}), randomStimulus},
		{"isa", elaborate(isa.ISA{Params: p}), randomStimulus},
		{"dma_read", elaborate(dma.Read{Params: p}), randomStimulus},
		{"dma_write", elaborate(dma.Write{Params: p}), randomStimulus},
	}
}

func elaborate[P any](g hw.Generator[P]) func() (*ir.Design, error) {
	return func() (*ir.Design, error) { return hw.Elaborate(g) }
}

// randomStimulus changes every input now and then.
func randomStimulus(s settings, d *ir.Design) ([]stimulus, error) {
	cycles := uint64(100_000)
	if s.quick {
		cycles = 20_000
	}
	f := sim.NewFormat(sim.PortsOf(d))
	st, err := s.write("random", f, sim.Random(f, 1), 0, cycles)
	return []stimulus{st}, err
}

// hotlineStimuli are recorded in a co-simulated training run of one mini-batch:
// all of it, mostly waiting for the host, and the cycles in which the mini-batch
// is classified, every lane busy in nearly every cycle.
func hotlineStimuli(s settings, d *ir.Design) ([]stimulus, error) {
	batch := 16384
	if s.quick {
		batch = 4096
	}
	trace, w, err := record(d, batch)
	if err != nil {
		return nil, err
	}
	f := sim.NewFormat(sim.PortsOf(d))
	source := func() (*sim.Trace, error) { return sim.NewTrace(bytes.NewReader(trace), f) }
	t, err := source()
	if err != nil {
		return nil, err
	}
	busy, err := s.write("busy", f, &awakeCycles{t, w.quiet, 0}, w.busy[0], w.busy[1])
	if err != nil {
		return nil, err
	}
	if t, err = source(); err != nil {
		return nil, err
	}
	total := uint64(len(w.quiet))
	if s.quick {
		total = min(total, quickCycles)
	}
	recorded, err := s.write("recorded", f, t, 0, total)
	return []stimulus{busy, recorded}, err
}

// quickCycles is how much of the recorded run --quick takes.
const quickCycles = 400_000

// awakeCycles are the cycles of a trace that are not quiet: leaving out the
// others changes nothing after them.
type awakeCycles struct {
	*sim.Trace
	quiet []bool
	cycle int
}

// Next implements sim.Stimulus.
func (a *awakeCycles) Next(frame []uint64) error {
	for {
		if err := a.Trace.Next(frame); err != nil {
			return err
		}
		a.cycle++
		if !a.quiet[a.cycle-1] {
			return nil
		}
	}
}

// record runs a training job and keeps the traffic of the accelerator's ports in
// every cycle.
func record(d *ir.Design, batch int) (trace []byte, w *watcher, err error) {
	cfg := configs.Paper()
	cfg.Training.Batch, cfg.Training.Batches = batch, 1
	set, err := data.Generate(cfg.Clicks(), batch)
	if err != nil {
		return nil, nil, err
	}
	engine, _, err := compiled.New(d)
	if err != nil {
		return nil, nil, err
	}
	w = &watcher{Simulator: engine}
	var b bytes.Buffer
	r := sim.NewRecorder(w, sim.Hash(d), &b)
	_, err = cosim.Run(cosim.Job{Config: cfg, Data: set, Engine: "recording", Sim: awake{r}})
	if err == nil {
		err = r.Close()
	}
	return b.Bytes(), w, err
}

// awake does not let the clock sleep: in hardware it does not either.
type awake struct{ sim.Simulator }

func (awake) Quiet() bool { return false }

// watcher notes which cycles are quiet, and the longest run of lookups that is
// not learning, counted in other cycles.
type watcher struct {
	sim.Simulator
	quiet []bool
	awake uint64 // cycles so far that were not quiet
	busy  [2]uint64
	since uint64
	on    bool
}

func (w *watcher) peek(path string) bool {
	x, _ := w.Simulator.(interface {
		Peek(string) ([]uint64, bool)
	}).Peek(path)
	return len(x) > 0 && x[0] != 0
}

// Step implements sim.Simulator.
func (w *watcher) Step() error {
	quiet := w.Quiet()
	w.quiet = append(w.quiet, quiet)
	err := w.Simulator.Step()
	if quiet {
		return err
	}
	w.awake++
	on := w.peek("lookup.running") && !w.peek("lookup.learning")
	if on && !w.on {
		w.since = w.awake
	}
	if w.on && !on && w.awake-w.since > w.busy[1]-w.busy[0] {
		w.busy = [2]uint64{w.since, w.awake}
	}
	w.on = on
	return err
}
