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

// Options of New.
type Options struct {
	Static static.Options
	// File keeps what the static phase found out: it is read if it is there, else
	// written. "" is none.
	File string
	// Test is how many inputs the scheduler predicts between strips, at most; 0 is
	// none, and the rate stays what it is.
	Test int
}

// DefaultOptions are those of the paper; it does not say how many inputs are tested,
// which is a choice.
func DefaultOptions() Options { return Options{Static: static.DefaultOptions(), Test: 16384} }

// System is FAE. It implements train.System.
type System struct {
	*cluster.Cluster
	*cluster.Tables
	model    dlrm.Config
	opts     Options
	machine  *server.Server
	prepared *static.Prepared // once it trains
	hot      hotTable
	counts   counts
	pooled   []float32 // of a cold mini-batch: inputs x bags x Dim
	probs    []float32
}

// New makes FAE on a machine whose slot may be empty. Its model begins as in a
// state. The error is that of static.Options.Check, or that Test is negative.
func New(s *server.Server, from *train.State, opts Options) (*System, error) {
	if err := opts.Static.Check(); err != nil {
		return nil, err
	}
	if opts.Test < 0 {
		return nil, fmt.Errorf("fae: %d inputs to test, expected 0 or more", opts.Test)
	}
	return &System{model: from.Model, opts: opts, machine: s, Cluster: cluster.NewCluster(s, from), Tables: cluster.NewTables(s.Host, from)}, nil
}

// Name implements train.System.
func (f *System) Name() string { return "FAE" }

// Row implements train.System. A hot row that is newest on the GPUs is read from all
// of them; the error may be that they do not hold the same.
func (f *System) Row(table int, index uint32, dst []float32) error {
	if slot, hot := f.hot.newest(table, index); hot {
		return f.hot.read(slot, dst)
	}
	return f.Tables.Read(table, index, dst)
}

// Counts implements train.System.
func (f *System) Counts() []train.Count { return f.counts.list() }

// Order implements train.System.
func (f *System) Order() timing.System { return timing.FAE }

// Train implements train.System. It begins with the static phase, and trains if all
// fits into the memories. Mini-batches are its own, numbered in its own order; there
// may be one more than in b.
func (f *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	var err error
	if f.prepared, err = static.PrepareFile(f.opts.File, b, f.model, f.opts.Static); err != nil {
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
	m := b.First()
	for hot, n := s.Next(); n > 0; hot, n = s.Next() {
		if err := f.strip(m, n, queues[hot], done); err != nil {
			return err
		}
		m += n
		if err := test.tell(s); err != nil {
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

// strip trains on the next n mini-batches of a kind, the first of which is number m.
func (f *System) strip(m, n int, of *queue, done func(train.Step) error) error {
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
		moved = swapped{}
		if err := done(step); err != nil {
			return err
		}
	}
	return nil
}
