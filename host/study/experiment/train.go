package experiment

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// trainAll trains the systems in order, as many concurrently as there are cores. Temporary data
// thus exist at most once for each core. An error of the whole run stops all systems.
func (r *run) trainAll() error {
	ends, cores := make([]chan error, len(r.trained)), make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range ends {
		ends[i] = make(chan error, 1)
	}
	go func() {
		for i, t := range r.trained {
			cores <- struct{}{}
			go func() {
				ends[i] <- r.trainIfRoom(t)
				<-cores
			}()
		}
	}()
	var failed error
	for _, end := range ends {
		if err := <-end; err != nil && failed == nil {
			failed = err
			r.stop()
		}
	}
	return failed
}

// trainIfRoom trains a system and simulates its time. If the system cannot be trained, that is its
// result.
func (r *run) trainIfRoom(t *trained) error {
	if err := Unmet(t.Description, r.Config, r.Data); err != nil {
		t.failure = &train.Unmet{Err: err}
		return nil
	}
	if err := r.train(t); err != nil {
		return r.fail(t, err)
	}
	return r.simulate(t)
}

// behindFaults adds the faults that were injected so far to an error.
func (t *trained) behindFaults(err error) error {
	if err == nil || t.faults == nil {
		return err
	}
	t.faults.Recovered("the run ended")
	return fmt.Errorf("%w\nfaults before that:\n%s", err, strings.Join(fault.Summary(t.faults.Log()), "\n"))
}

// train trains a system on a server of its own.
func (r *run) train(t *trained) error {
	if err := r.build(t); err != nil {
		return err
	}
	defer t.server.Observe(nil)
	all, err := train.NewBatches(r.model, r.sets.train, r.Config.Training.Batch, r.sets.number)
	if err != nil {
		return err
	}
	first, inputs := r.before()
	t.inputs, t.losses = inputs, r.lossesBefore()
	batches := all.From(first)
	defer batches.Close()
	if t.result, err = train.Run(t.system, batches, r.watch(t), func(step train.Step) error {
		t.series.add(step)
		t.done, t.inputs = step.MiniBatch+1, t.inputs+int64(len(step.Labels))
		if t.Guarantee != registry.OwnOrder {
			t.latest, _ = batches.At(step.MiniBatch) // the current mini-batch is retained
		}
		t.ledger.Next()
		r.progress(t.Name, t.done, batches)
		if err := t.server.Unobserved(func() error { return r.pause(t) }); err != nil {
			return err
		}
		return context.Cause(r.ctx)
	}); err != nil || t.Guarantee != registry.OwnOrder {
		return err
	}
	t.done = first + r.batchesOf(t.result.Inputs)
	t.latest, err = batches.At(t.done - 1)
	return err
}

// batchesOf returns the number of mini-batches that inputs form. A system with an order of its own
// may form more.
func (r *run) batchesOf(inputs int) int {
	return (inputs + r.Config.Training.Batch - 1) / r.Config.Training.Batch
}

// pause evaluates and saves the model if either is due. It returns train.ErrEnough if the training
// stops.
func (r *run) pause(t *trained) error {
	if every := r.EvaluateEvery; every > 0 && t.done%every == 0 {
		if err := r.evaluate(t); err != nil {
			return err
		}
	}
	if err := r.endEpoch(t); err != nil {
		return err
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
	total = max(total, done)
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
	r.audit(t)
	t.server.Kernel.StopOn(func() error { return context.Cause(r.ctx) })
	var dev driver.Device
	if t.Accelerated {
		if t.card, err = r.Accelerator.New(t.server); err != nil {
			return err
		}
		if r.Slot != nil && t == r.trained[r.accelerated()] {
			t.server.Attached = func() { r.Slot(t.server) }
		}
		if dev, err = t.server.Insert(t.card); err != nil {
			return err
		}
	}
	if t.system, err = t.New(t.server, dev, r.from, r.Config.Setting(t.Description)); err != nil {
		return err
	}
	r.disturb(t)
	if r.Save != nil && t == r.trained[0] {
		if err := train.CheckSaved(t.system); err != nil {
			return saving{&train.Unmet{Err: err}}
		}
	}
	return nil
}

// disturb injects faults on the link of the accelerator, if there is one.
func (r *run) disturb(t *trained) {
	if h, ok := t.system.(registry.Driving); ok && r.Faults != nil {
		t.faults = fault.Inject(t.server, t.card.Endpoint(), r.Faults)
		h.Driver().OnRecovery(t.faults.Recovered)
	}
}

// serverOf returns the server of the configuration. The host sets the maximum payload size and the
// read completion boundary to the same values everywhere.
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
