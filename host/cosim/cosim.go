package cosim

import (
	"context"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/card"
	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/rec/data"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/sim"
)

// Job is what to run.
type Job struct {
	Config *configs.Config
	Data   *data.Set
	Sim    sim.Simulator // the accelerator of the configuration, at its first cycle
	Engine string        // what Sim is called
	// For the report: the program, and where Data comes from if not from Clicks.
	Version string
	Source  Source
	// Progress, unless nil, is called after each mini-batch of a system.
	Progress func(system string, done, total int)
}

// Run trains both systems and compares them. A difference is not an error but
// stands in the report. When the context ends, so does the run, soon, with a
// *Stopped.
func Run(ctx context.Context, j Job) (*Report, error) {
	if err := Check(j.Config, j.Data); err != nil {
		return nil, err
	}
	model := j.Config.DLRM(j.Data)
	batches, err := train.NewBatches(model, j.Data, j.Config.Training.Batch)
	if err != nil {
		return nil, err
	}
	r := &run{Job: j, ctx: ctx, model: model, batches: batches}
	report, err := r.both()
	if cause := context.Cause(ctx); cause != nil && (err != nil || !report.ParametersIdentical) {
		return nil, &Stopped{Cause: cause, Baseline: r.baseline.Done(), Hotline: r.hotline.Done()}
	}
	return report, err
}

// run is a job under way.
type run struct {
	Job
	ctx               context.Context
	model             rec.Config
	batches           train.Batches
	baseline, hotline series
}

func (r *run) both() (*Report, error) {
	base, baseline, err := r.trainBaseline()
	if err != nil {
		return nil, err
	}
	acc, err := r.accelerated()
	if err != nil {
		return nil, err
	}
	result, err := train.Run(acc.system, r.batches, r.progress("Hotline", &r.hotline))
	if err != nil {
		return nil, err
	}
	counters, err := acc.system.Driver().Counters()
	if err != nil {
		return nil, err
	}
	parameters, difference := train.Compare(stopping{base, r.ctx}, acc.system)
	return r.report(baseline, result, acc, counters, parameters, difference), nil
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

// progress keeps the series and tells of each mini-batch.
func (r *run) progress(system string, to *series) func(train.Step) {
	return func(s train.Step) {
		to.add(s, r.batches.At(s.MiniBatch).Len())
		if r.Progress != nil {
			r.Progress(system, s.MiniBatch+1, r.batches.Len())
		}
	}
}

func (r *run) machine() (*server.Server, error) {
	s, err := server.New(machine(r.Config))
	if err == nil {
		s.Kernel.StopOn(func() error { return context.Cause(r.ctx) })
	}
	return s, err
}

// machine describes the server of the configuration. The largest payload and
// the read completion boundary are settings that a host makes everywhere.
func machine(from *configs.Config) server.Config {
	c := server.DefaultConfig()
	c.Machine = *from.Machine
	c.Machine.GPUs = from.Training.GPUs
	c.Slot, c.Endpoint.Straps = *from.Link, *from.Straps
	c.Root.Memory.MPS, c.Root.Memory.RCB = c.Endpoint.Straps.MPS, c.Endpoint.Straps.RCB
	c.GPUMemory.MPS = c.Endpoint.Straps.MPS
	c.Period = from.Period()
	return c
}

func (r *run) trainBaseline() (train.System, train.Result, error) {
	s, err := r.machine()
	if err != nil {
		return nil, train.Result{}, err
	}
	h, err := hybrid.New(s, r.model, hybrid.DefaultOptions(r.Config.Training.Seed))
	if err != nil {
		return nil, train.Result{}, err
	}
	result, err := train.Run(h, r.batches, r.progress("baseline", &r.baseline))
	return h, result, err
}

// accelerated is the machine with the accelerator.
type accelerated struct {
	server *server.Server
	card   *card.Card
	system *hotline.System
}

func (r *run) accelerated() (*accelerated, error) {
	s, err := r.machine()
	if err != nil {
		return nil, err
	}
	c, err := card.New(s.Kernel, r.Sim, s.Config.Period, s.Config.Endpoint)
	if err != nil {
		return nil, err
	}
	dev, err := s.Insert(c)
	if err != nil {
		return nil, err
	}
	t := r.Config.Training
	h, err := hotline.New(s, dev, r.model, hotline.Options{Seed: t.Seed, Sample: t.LearnShare, Relearn: t.Relearn, Driver: driver.DefaultOptions()})
	return &accelerated{s, c, h}, err
}
