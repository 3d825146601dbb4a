package bench

import (
	"bytes"
	"context"
	"errors"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

// wholeStimuli returns the stimuli of the accelerator.
//
//   - busy: a session in which the cycles of classification count; every lane is busy in nearly every cycle
//   - session: the whole session
//   - recorded: a training with one mini-batch, in which the accelerator mostly waits for the host
//   - active: the cycles of recorded that are not idle
//   - brief: the lookups of learning from a few inputs
func (b *bench) wholeStimuli(d *ir.Design) ([]stimulus, error) {
	r, err := session(d)
	if err != nil {
		return nil, err
	}
	busy, err := b.write(whole, "busy", r.format, r.awake(), r.awakeOf(func(c moment) bool { return c.lookups && !c.learning }))
	if err != nil {
		return nil, err
	}
	if b.Check {
		return []stimulus{busy}, nil
	}
	all, err := b.write(whole, "session", r.format, r.awake(), r.awakeOf(anything))
	if err != nil {
		return nil, err
	}
	if r, err = b.training(d); err != nil {
		return nil, err
	}
	recorded, err := b.write(whole, "recorded", r.format, r.all(), always(len(r.moments)))
	if err != nil {
		return nil, err
	}
	active, err := b.write(whole, "active", r.format, r.awake(), r.awakeOf(anything))
	if err != nil {
		return nil, err
	}
	done := progress("%s: recording the start of a session", whole)
	r, err = record(d, func(s sim.Simulator) error { return work(configs.Paper(), s, load{setUps: 1, learn: 16}) })
	done()
	if err != nil {
		return nil, err
	}
	brief, err := b.write(whole, "brief", r.format, r.awake(), r.awakeOf(func(c moment) bool { return c.lookups }))
	return []stimulus{busy, all, recorded, active, brief}, err
}

// session records a session with all kinds of work.
func session(d *ir.Design) (*recording, error) {
	defer progress("%s: recording a session", whole)()
	return record(d, func(s sim.Simulator) error {
		return work(configs.Paper(), s, load{setUps: 8, learn: 512, classify: 8192, gather: 4096})
	})
}

// training records a training with one mini-batch.
func (s Settings) training(d *ir.Design) (*recording, error) {
	accelerated, err := registry.Choose(catalog.Systems(), "hotline")
	if err != nil {
		return nil, err
	}
	defer progress("%s: recording a training run", whole)()
	cfg := configs.Paper()
	const batch = 4096
	cfg.Training.Batch, cfg.Training.Batches = batch, 1
	clicks, err := experiment.Clicks(cfg)
	if err != nil {
		return nil, err
	}
	return record(d, func(s sim.Simulator) error {
		_, err := experiment.Run(context.Background(), experiment.Job{
			Config: cfg, Data: clicks, Systems: accelerated, Accelerator: experiment.Cycle("recording", s),
		})
		return err
	})
}

// recording contains the traffic at the accelerator's ports in every cycle.
type recording struct {
	format  *sim.Format
	trace   []byte
	moments []moment
}

// moment is the activity in a cycle.
type moment struct{ quiet, lookups, learning bool }

// anything accepts every moment.
func anything(moment) bool { return true }

// record records the accelerator while use works with it.
func record(d *ir.Design, use func(sim.Simulator) error) (*recording, error) {
	engine, ok := compiled.Find(d)
	if !ok {
		return nil, errors.New("no compiled model of this accelerator is part of the program")
	}
	w, err := newWatcher(engine)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	r := sim.NewRecorder(w, sim.Hash(d), &b)
	if err := use(r); err != nil {
		return nil, err
	}
	err = r.Close()
	return &recording{sim.NewFormat(engine.Ports()), b.Bytes(), w.moments}, err
}

// all returns the inputs of every cycle.
func (r *recording) all() sim.Stimulus {
	t, err := sim.NewTrace(bytes.NewReader(r.trace), r.format)
	if err != nil {
		panic("bench: the trace that was just recorded cannot be read: " + err.Error())
	}
	return t
}

// awake returns the inputs of the cycles that are not idle. Omitting idle cycles does not change
// the cycles after them.
func (r *recording) awake() sim.Stimulus { return &awake{r.all(), r.moments} }

type awake struct {
	sim.Stimulus
	rest []moment
}

// Next implements sim.Stimulus.
func (a *awake) Next(frame []uint64) error {
	for {
		if err := a.Stimulus.Next(frame); err != nil {
			return err
		}
		quiet := a.rest[0].quiet
		if a.rest = a.rest[1:]; !quiet {
			return nil
		}
	}
}

// awakeOf evaluates f for each cycle that is not idle.
func (r *recording) awakeOf(f func(moment) bool) []bool {
	var out []bool
	for _, m := range r.moments {
		if !m.quiet {
			out = append(out, f(m))
		}
	}
	return out
}

// watcher records the activity in each cycle. It never reports an idle cycle, so that the host
// skips no cycles. Hardware does not skip cycles, either.
type watcher struct {
	sim.Simulator
	running, learning func() bool
	moments           []moment
}

func newWatcher(s sim.Inspector) (*watcher, error) {
	w := &watcher{Simulator: s}
	for i, x := range s.State() {
		is := func() bool { return s.Read(i, 0)[0] != 0 }
		switch x.Path {
		case "lookup.running":
			w.running = is
		case "lookup.learning":
			w.learning = is
		}
	}
	if w.running == nil || w.learning == nil {
		return nil, errors.New("the accelerator has no registers lookup.running and lookup.learning")
	}
	return w, nil
}

// Quiet implements sim.Simulator.
func (*watcher) Quiet() bool { return false }

// Step implements sim.Simulator.
func (w *watcher) Step() error {
	w.moments = append(w.moments, moment{w.Simulator.Quiet(), w.running(), w.learning()})
	return w.Simulator.Step()
}
