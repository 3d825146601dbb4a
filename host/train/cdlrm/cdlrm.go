package cdlrm

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// System is cDLRM. It implements train.System.
type System struct {
	*cluster.Cluster
	*cluster.Tables
	model dlrm.Config
	opts  Options
	seed  uint64
	s     *server.Server
	areas
	occupied []occupancy // of each table's cache
	slots    int         // of all caches of a GPU
	versions versions
	batches  *train.Batches
	victims  []places         // of the current mini-batch, by GPU
	apart    map[int]struct{} // slots that each GPU has updated with its own gradients
	counts   counts
	work     timing.Work // of the current mini-batch
	own      Work
	row      []float32
	probs    []float32
}

// New returns cDLRM on a machine whose slot may be empty. Its model starts from a state. It returns
// an error if options are invalid, in general or for the model.
func New(s *server.Server, from *train.State, o Options) (*System, error) {
	_, err := o.Check()
	if err := errors.Join(err, o.CheckModel(from.Model)); err != nil {
		return nil, fmt.Errorf("cdlrm: %w", err)
	}
	c := &System{
		model: from.Model, opts: o, seed: from.Seed, s: s, Cluster: cluster.NewCluster(s, from), Tables: cluster.NewTables(s.Host, from),
		versions: newVersions(), apart: map[int]struct{}{}, row: make([]float32, from.Model.Dim),
	}
	c.Cluster.Later = o.Lambda > 1
	c.occupied, c.slots = newOccupancies(from.Model.Tables, o)
	return c, nil
}

// Name implements train.System.
func (s *System) Name() string {
	if s.opts.Released {
		return "cDLRM as released"
	}
	return "cDLRM"
}

// Counts implements train.System.
func (s *System) Counts() []train.Count { return s.counts.list(s.opts.Released) }

// Order implements train.System.
func (s *System) Order() timing.System { return Order }

// Train implements train.System. It fails before training if the memories are too small.
func (s *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	b.Keep(windowsAhead * s.opts.Window)
	s.batches, s.Cluster.Watch = b, w
	s.areas = newAreas(s, b.Size())
	if err := s.Cluster.Reserve(b.Size()); err != nil {
		return err
	}
	next, err := s.lookAhead(b.First(), 0)
	if err != nil {
		return err
	}
	for len(next.batches) > 0 {
		now := next
		if next, err = s.lookAhead(now.end(), 1-now.half); err != nil {
			return err
		}
		if err := s.trainWindow(now, done); err != nil {
			return err
		}
	}
	return s.Cluster.CheckReplicas()
}

// trainWindow trains on the mini-batches of a window, whose rows are in the queue.
func (s *System) trainWindow(w *window, done func(train.Step) error) error {
	for i, batch := range w.batches {
		s.Cluster.Watch.Begin(w.first+i, batch)
	}
	s.own = Work{Window: w.inputs, Unique: len(w.rows)}
	if err := s.cache(w); err != nil {
		return err
	}
	for i, batch := range w.batches {
		step, err := s.step(w.first+i, batch, i == len(w.batches)-1)
		if err != nil {
			return err
		}
		if err := done(step); err != nil {
			return err
		}
		s.work, s.own = timing.Work{}, Work{}
	}
	return nil
}
