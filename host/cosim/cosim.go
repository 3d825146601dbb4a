package cosim

import (
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
	// Progress, unless nil, is called after each mini-batch of a system.
	Progress func(system string, done, total int)
}

// Run trains both systems and compares them. A difference is not an error but
// stands in the report.
func Run(j Job) (*Report, error) {
	if err := Check(j.Config, j.Data); err != nil {
		return nil, err
	}
	model := j.Config.DLRM(j.Data)
	batches, err := train.NewBatches(model, j.Data, j.Config.Training.Batch)
	if err != nil {
		return nil, err
	}
	base, baseline, err := j.baseline(model, batches)
	if err != nil {
		return nil, err
	}
	acc, err := j.accelerated(model)
	if err != nil {
		return nil, err
	}
	result, err := train.Run(acc.system, batches, j.progress("Hotline", batches))
	if err != nil {
		return nil, err
	}
	counters, err := acc.system.Driver().Counters()
	if err != nil {
		return nil, err
	}
	parameters, difference := train.Compare(base, acc.system)
	return newReport(j, baseline, result, acc, counters, parameters, difference), nil
}

func (j Job) progress(system string, b train.Batches) func(train.Step) {
	if j.Progress == nil {
		return nil
	}
	return func(s train.Step) { j.Progress(system, s.MiniBatch+1, b.Len()) }
}

func (j Job) machine() (*server.Server, error) { return server.New(machine(j.Config)) }

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

func (j Job) baseline(model rec.Config, b train.Batches) (train.System, train.Result, error) {
	s, err := j.machine()
	if err != nil {
		return nil, train.Result{}, err
	}
	h, err := hybrid.New(s, model, hybrid.DefaultOptions(j.Config.Training.Seed))
	if err != nil {
		return nil, train.Result{}, err
	}
	r, err := train.Run(h, b, j.progress("baseline", b))
	return h, r, err
}

// accelerated is the machine with the accelerator.
type accelerated struct {
	server *server.Server
	card   *card.Card
	system *hotline.System
}

func (j Job) accelerated(model rec.Config) (*accelerated, error) {
	s, err := j.machine()
	if err != nil {
		return nil, err
	}
	c, err := card.New(s.Kernel, j.Sim, s.Config.Period, s.Config.Endpoint)
	if err != nil {
		return nil, err
	}
	dev, err := s.Insert(c)
	if err != nil {
		return nil, err
	}
	t := j.Config.Training
	h, err := hotline.New(s, dev, model, hotline.Options{Seed: t.Seed, Sample: t.LearnShare, Relearn: t.Relearn, Driver: driver.DefaultOptions()})
	return &accelerated{s, c, h}, err
}
