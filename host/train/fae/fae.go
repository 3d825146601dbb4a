package fae

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/fae/shuffle"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// System is FAE. It implements train.System.
type System struct {
	*cluster.Cluster
	*cluster.Tables
	model    dlrm.Config
	opts     Options
	seed     uint64
	machine  *server.Server
	prepared *static.Prepared // set when training starts
	hot      hotTable
	counts   counts
	pooled   []float32 // of a cold mini-batch: inputs x bags x Dim
	probs    []float32
}

// New returns FAE on a machine whose slot may be empty. Its model starts from a state; the seed
// selects the sample of inputs. It fails if Options.Check does.
func New(s *server.Server, from *train.State, opts Options, seed uint64) (*System, error) {
	if _, err := opts.Check(); err != nil {
		return nil, fmt.Errorf("fae: %w", err)
	}
	return &System{model: from.Model, opts: opts, seed: seed, machine: s, Cluster: cluster.NewCluster(s, from), Tables: cluster.NewTables(s.Host, from)}, nil
}

// Name implements train.System.
func (f *System) Name() string { return "FAE" }

// Row implements train.System. It reads a hot row from all GPUs if the GPUs have the newest
// version, and returns an error if their values differ.
func (f *System) Row(table int, index uint32, dst []float32) error {
	if slot, hot := f.hot.newest(table, index); hot {
		return f.hot.read(slot, dst)
	}
	return f.Tables.Read(table, index, dst)
}

// Counts implements train.System.
func (f *System) Counts() []train.Count { return f.counts.list() }

// Order implements train.System.
func (f *System) Order() timing.System { return Order }

// Train implements train.System. It runs the static phase, and then trains if the memories are
// large enough. It forms and numbers its own mini-batches; there may be one more than in b.
func (f *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	var err error
	if f.prepared, err = static.PrepareFile(f.opts.File, b, f.model, f.opts.Static(f.seed)); err != nil {
		return err
	}
	f.counts.prepared(f.prepared)
	f.hot = newHotTable(f.machine, f.model, f.prepared.Hot)
	if err := f.Cluster.Reserve(b.Size()); err != nil {
		return err
	}
	f.Cluster.Watch = w
	test, err := f.newTest(b)
	if err != nil {
		return err
	}
	queues := map[bool]*queue{false: newQueue(b, f.prepared.Inputs, false), true: newQueue(b, f.prepared.Inputs, true)}
	defer queues[false].close()
	defer queues[true].close()
	s := shuffle.New(queues[false].batches(), queues[true].batches())
	m, static := b.First(), f.static()
	for hot, n := s.Next(); n > 0; hot, n = s.Next() {
		if err := f.strip(m, n, queues[hot], static, done); err != nil {
			return err
		}
		m, static = m+n, Work{}
		if err := test.report(s); err != nil {
			return err
		}
	}
	f.counts.rate = s.Rate()
	for _, q := range queues {
		if err := q.end(); err != nil {
			return err
		}
	}
	return f.Cluster.CheckReplicas()
}

// static returns the work of the static phase. A file of its outcome does not change the work, so a
// training that reads it takes the same simulated time.
func (f *System) static() Work {
	return Work{Logged: int(f.prepared.Figures.Sampled), Scanned: int(f.prepared.Figures.Scanned()), Classified: int(f.prepared.Inputs.Len())}
}

// strip trains on the next n mini-batches of a kind, from number m on. The first has the given work
// before it.
func (f *System) strip(m, n int, of *queue, before Work, done func(train.Step) error) error {
	moved, err := f.swap(of.hot)
	if err != nil {
		return err
	}
	for end := m + n; m < end; m++ {
		batch, err := of.next()
		if err != nil {
			return err
		}
		step, err := f.step(m, batch, of.hot)
		if err != nil {
			return err
		}
		step.Work.Promoted, step.Work.Demoted = moved.toGPUs, moved.toHost
		if before != (Work{}) {
			before.Cold = !of.hot
			step.Work.Own = before
		}
		moved, before = swapped{}, Work{}
		if err := done(step); err != nil {
			return err
		}
	}
	return nil
}
