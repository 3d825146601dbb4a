package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/card"
	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/rec/data"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
	"github.com/hotline-rtl/hotline/host/train/hotline"
)

// Job is what to run.
type Job struct {
	Config      *configs.Config
	Data        data.Source
	Systems     []System // the first is what the others are compared with
	Accelerator Accelerator
	// For the report: the program, and where Data comes from if not from Clicks.
	Version string
	Source  Source
	// HeldOut is how many inputs, behind those that are trained on, the models are
	// evaluated on: the last ones of the source, or the next ones if Config's
	// batches leave some.
	HeldOut int64
	// EvaluateEvery is the number of mini-batches after which the models are
	// evaluated, again and again; 0 is at the end only.
	EvaluateEvery int
	// From is what the training goes on from; nil is its beginning. Config's batches
	// include those before.
	From *checkpoint.Checkpoint
	// Save, unless nil, gets the model of the first system after every SaveEvery
	// mini-batches unless that is 0, and at the end, last. Its error ends the run.
	Save      func(c *checkpoint.Checkpoint, last bool) error
	SaveEvery int
	// Valueless leaves the arithmetic out: times are the same, and there is no loss,
	// no AUC and no comparison.
	Valueless bool
	// Trace keeps the timeline of the last system's first mini-batches.
	Trace bool
	// HTML keeps the timelines that WriteHTML draws: in all systems, those of the
	// mini-batches of this run that Drawn numbers, or of a few that differ if it is
	// empty.
	HTML  bool
	Drawn []int
	// Progress, unless nil, is called after each mini-batch of a system, by one
	// system at a time; total is 0 if it is not known.
	Progress func(system string, done, total int)
}

// Run trains all systems, side by side, and compares them with the first. A
// difference is not an error but stands in the report. When the context ends, so
// does the run, soon, with a *Stopped.
func Run(ctx context.Context, j Job) (*Report, error) {
	if err := Check(j.Config, j.Data, j.Systems); err != nil {
		return nil, err
	}
	if j.Valueless && (j.HeldOut > 0 || j.Save != nil) {
		return nil, errors.New("experiment: without values there is nothing to evaluate on held-out inputs, and nothing to save")
	}
	inputs, err := j.trained()
	if err != nil {
		return nil, err
	}
	if err := j.checkDrawn(inputs); err != nil {
		return nil, err
	}
	model := j.Config.For(j.Data.Shape())
	inner, stop := context.WithCancel(ctx)
	defer stop()
	j.Data = heeding{j.Data, inner}
	from, err := j.start(model)
	if err != nil {
		return nil, err
	}
	r := &run{Job: j, ctx: inner, stop: stop, model: model, inputs: inputs, from: from}
	for _, s := range j.Systems {
		r.trained = append(r.trained, &trained{System: s})
	}
	report, err := r.all()
	if cause := context.Cause(ctx); cause != nil && (err != nil || !report.Identical()) {
		return nil, &Stopped{Cause: cause, Done: r.done()}
	}
	return report, err
}

// run is a job under way.
type run struct {
	Job
	ctx     context.Context
	stop    func() // ends it
	model   rec.Config
	inputs  int64 // to train on; all if it is 0
	from    *train.State
	trained []*trained
	show    sync.Mutex // held while progress is shown
}

// trained is a system, with what came out so far.
type trained struct {
	System
	system     train.System
	server     *server.Server
	card       server.Card         // nil if its slot is empty
	noRoom     *server.OutOfMemory // of its machine, so that it was not trained
	result     train.Result
	series     series
	done       int       // mini-batches that the model was trained on, those before the run included
	latest     rec.Batch // the last of them
	parameters int64
	difference error

	evaluations []EvaluationAt
}

func (r *run) all() (*Report, error) {
	if err := r.trainAll(); err != nil {
		return nil, err
	}
	r.compare()
	for _, t := range r.fitting() {
		if err := r.evaluate(t); err != nil {
			return nil, err
		}
	}
	if err := r.saveLast(); err != nil {
		return nil, err
	}
	return r.report()
}

// fitting are the systems that were trained.
func (r *run) fitting() []*trained {
	return slices.DeleteFunc(slices.Clone(r.trained), func(t *trained) bool { return t.noRoom != nil })
}

// compare compares the parameters of all systems with those of the first.
func (r *run) compare() {
	for i, t := range r.fitting() {
		first := r.fitting()[0]
		t.parameters = t.result.Parameters
		if i > 0 && !r.Valueless {
			t.parameters, t.difference = train.Compare(stopping{first.system, r.ctx}, t.system)
		}
	}
}

// trained is how many inputs are trained on, 0 for all.
func (j Job) trained() (int64, error) {
	most := int64(j.Config.Training.Batch) * int64(j.Config.Training.Batches)
	if j.HeldOut == 0 {
		return most, nil
	}
	n, known := j.Data.Len()
	switch {
	case !known && most == 0:
		return 0, fmt.Errorf("experiment: how many inputs %s has is not known, so none can be held out: say how many mini-batches to train on", j.Data.Name())
	case known && n <= j.HeldOut:
		return 0, fmt.Errorf("experiment: %d inputs cannot be held out of the %d of %s", j.HeldOut, n, j.Data.Name())
	case known && (most == 0 || most > n-j.HeldOut):
		return n - j.HeldOut, nil
	}
	return most, nil
}

// trainAll trains the systems side by side. The error is that of the first system
// that has one; those behind it are stopped then.
func (r *run) trainAll() error {
	var ends []chan error
	for _, t := range r.trained {
		end := make(chan error, 1)
		go func() {
			err := r.train(t)
			if errors.As(err, &t.noRoom) {
				err = nil
			}
			end <- err
		}()
		ends = append(ends, end)
	}
	var failed error
	for _, end := range ends {
		if err := <-end; err != nil && failed == nil {
			failed = err
			r.stop()
		}
	}
	return failed
}

// train trains a system on a machine of its own.
func (r *run) train(t *trained) error {
	if err := r.build(t); err != nil {
		return err
	}
	all, err := train.NewBatches(r.model, r.Data, r.Config.Training.Batch, r.inputs)
	if err != nil {
		return err
	}
	first, _ := r.before()
	batches := all.From(first)
	defer batches.Close()
	t.result, err = train.Run(t.system, batches, func(step train.Step) error {
		t.series.add(step)
		t.done = step.MiniBatch + 1
		t.latest, _ = batches.At(step.MiniBatch) // which is kept
		r.progress(t.Name, t.done, batches)
		if err := r.pause(t); err != nil {
			return err
		}
		return context.Cause(r.ctx)
	})
	return err
}

// pause does what is to be done every few mini-batches.
func (r *run) pause(t *trained) error {
	if every := r.EvaluateEvery; every > 0 && t.done%every == 0 {
		if err := r.evaluate(t); err != nil {
			return err
		}
	}
	if every := r.SaveEvery; every > 0 && t.done%every == 0 && t == r.trained[0] {
		return r.save(t, false)
	}
	return nil
}

func (r *run) progress(system string, done int, of *train.Batches) {
	if r.Progress == nil {
		return
	}
	total, known := of.Len()
	if !known {
		total = 0
	}
	r.show.Lock()
	defer r.show.Unlock()
	r.Progress(system, done, total)
}

func (r *run) build(t *trained) error {
	var err error
	machine := serverOf(r.Config)
	machine.Valueless = r.Valueless
	if t.server, err = server.New(machine); err != nil {
		return err
	}
	t.server.Kernel.StopOn(func() error { return context.Cause(r.ctx) })
	var dev driver.Device
	if t.Accelerated {
		if t.card, err = r.Accelerator.New(t.server); err != nil {
			return err
		}
		if dev, err = t.server.Insert(t.card); err != nil {
			return err
		}
	}
	t.system, err = t.New(t.server, dev, r.from, *r.Config.Training)
	return err
}

// stopping is a system whose rows cannot be read once the context has ended.
type stopping struct {
	train.System
	ctx context.Context
}

// Row implements train.System.
func (s stopping) Row(table int, index uint32, dst []float32) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	return s.System.Row(table, index, dst)
}

// serverOf describes the server of the configuration. The largest payload and
// the read completion boundary are settings that a host makes everywhere.
func serverOf(from *configs.Config) server.Config {
	c := server.DefaultConfig()
	m := from.Machine()
	c.GPUs, c.GPUMemoryGiB, c.HostGiB = from.Training.GPUs*from.Training.Nodes, m.GPUMemoryGiB, int(m.HostMemoryGiB)*from.Training.Nodes
	c.Slot, c.Endpoint.Straps = *from.Link, *from.Straps
	c.Root.Memory.MPS, c.Root.Memory.RCB = c.Endpoint.Straps.MPS, c.Endpoint.Straps.RCB
	c.GPUMemory.MPS = c.Endpoint.Straps.MPS
	c.Period = from.Period()
	return c
}

// accelerator is the part of a report about the accelerator of a system, nil if it
// has none.
func (t *trained) accelerator(name string) (*AcceleratorReport, error) {
	h, ok := t.system.(*hotline.System)
	if !ok || t.noRoom != nil {
		return nil, nil
	}
	counters, err := h.Driver().Counters()
	if err != nil {
		return nil, err
	}
	traffic, lookups := t.server.Traffic(), t.result.Count(hotline.CountLookups)
	a := &AcceleratorReport{
		Engine:       name,
		PopularShare: ratio(t.result.Count(hotline.CountPopular), t.result.Count(hotline.CountInputs)),
		Lookups:      lookups, LookupsPerCycle: ratio(lookups, int64(counters.LookupCycles)),
		RowsFromGPUs: t.result.Count(hotline.CountHotRows), RowsFromHost: t.result.Count(hotline.CountColdRows), RowsUpdated: t.result.Count(hotline.CountUpdated),
		PCIeBytesUp: traffic.FromCard.WireBytes, PCIeBytesDown: traffic.ToCard.WireBytes,
		LostInterrupts: t.result.Count(hotline.CountLost),
	}
	if c, ok := t.card.(*card.Card); ok {
		a.Cycles, a.CyclesSimulated = c.Cycles(), c.Simulated()
	}
	return a, nil
}
