package scratchpipe

import (
	"errors"
	"io"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// System is ScratchPipe. It implements train.System.
type System struct {
	*cluster.Cluster
	*cluster.Tables // in host memory
	variant
	Options
	model    dlrm.Config
	machine  *server.Server
	managers []*manager // of each table, once the size of mini-batches is known
	storages []storage
	flights  map[int]*flight
	vectors  []float32 // of a mini-batch: inputs x bags x Dim
	counts   counts
	done     func(train.Step) error
	ahead    func(m *manager, batch int, rows []uint32) // is manager.look
}

// variant is a way to run the stages.
type variant struct {
	name    string
	order   timing.System
	stages  []stage
	buffers int // for rows on their way, of which a stage needs one

	past, future int // mini-batches of its window
}

// stage is what is done with a mini-batch a number of cycles behind Plan.
type stage struct {
	behind int
	run    func(*System, *flight) error
}

// pipelined are the stages of a cycle. They run at the same time, and here in the order
// that is worst: whatever is read is read before it is written.
func pipelined() []stage {
	return []stage{{1, (*System).collect}, {2, (*System).exchange}, {3, (*System).insert}, {4, (*System).train}, {0, (*System).plan}}
}

// Descriptions returns the variants of ScratchPipe, which share a block.
func Descriptions() []registry.Description {
	o := DefaultOptions()
	list := []registry.Description{
		{Name: "scratchpipe", Title: "ScratchPipe (ISCA 2022): rows come to the GPUs before they are read, in a pipeline", New: registry.Optioned(New)},
		{Name: "scratchpipe-strawman", Title: "the same, one mini-batch after the other", New: registry.Optioned(NewStrawman)},
		{Name: "scratchpipe-ideal", Title: "the same without read-after-write dependencies, as in the Hotline paper", Guarantee: registry.Approximate, New: registry.Optioned(NewIdeal)},
	}
	for i := range list {
		list[i].Block, list[i].Options = "scratchpipe", &o
	}
	return list
}

// New makes ScratchPipe on a machine whose slot may be empty. Its model begins as in a
// state. The error is that of Options.Check.
func New(s *server.Server, from *train.State, o Options) (*System, error) {
	return newSystem(s, from, o, variant{"ScratchPipe", Order, pipelined(), 2, o.Past, o.Future})
}

// NewStrawman makes the same without a pipeline: a mini-batch begins when the one before it
// has ended, so that it is the window by itself.
func NewStrawman(s *server.Server, from *train.State, o Options) (*System, error) {
	stages := pipelined()
	stages = append(stages[4:], stages[:4]...) // Plan is the first
	for i := range stages {
		stages[i].behind = 0
	}
	return newSystem(s, from, o, variant{"ScratchPipe straw-man", StrawmanOrder, stages, 1, 0, 0})
}

// The window of NewIdeal holds what arrives while a row is collected, as otherwise rows
// would be mixed up. It does not hold a row that is updated then, and looks at no mini-batch
// ahead: rows in host memory may be older than their updates.
const (
	idealPast   = LeastPast - 1
	idealFuture = 0
)

// NewIdeal makes the same without some dependencies: it looks at no mini-batch ahead, and
// waits for no update when a row is collected. Some rows are older than they should be, some
// updates are lost.
func NewIdeal(s *server.Server, from *train.State, o Options) (*System, error) {
	return newSystem(s, from, o, variant{"ScratchPipe ideal", IdealOrder, pipelined(), 2, idealPast, idealFuture})
}

func newSystem(s *server.Server, from *train.State, o Options, v variant) (*System, error) {
	if _, err := o.Check(); err != nil {
		return nil, err
	}
	o.Past, o.Future = v.past, v.future
	return &System{
		variant: v, Options: o, model: from.Model, machine: s,
		Cluster: cluster.NewCluster(s, from), Tables: cluster.NewTables(s.Host, from), flights: map[int]*flight{},
		ahead: (*manager).look,
	}, nil
}

// Name implements train.System.
func (s *System) Name() string { return s.name }

// Row implements train.System. A row is in host memory until Insert has put it into a slot,
// and in its slot until Insert has put another one there.
func (s *System) Row(table int, index uint32, dst []float32) error {
	if table < len(s.storages) {
		if slot, ok := s.storages[table].held[index]; ok {
			return s.read(table, slot, dst)
		}
	}
	return s.Tables.Read(table, index, dst)
}

// Counts implements train.System.
func (s *System) Counts() []train.Count { return s.counts.list() }

// Order implements train.System.
func (s *System) Order() timing.System { return s.order }

// Train implements train.System. It begins if all fits into the memories.
func (s *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	if err := s.reserve(b.Size()); err != nil {
		return err
	}
	s.Cluster.Watch, s.done = w, done
	b.Keep(2 * MostWindow) // those that are planned, and those that enter the window
	next := b.First()
	for cycle := b.First(); ; cycle++ {
		for ; next <= cycle+s.Future; next++ {
			if err := s.look(b, next); err != nil {
				return err
			}
		}
		if len(s.flights) == 0 {
			return s.Cluster.CheckReplicas()
		}
		if err := s.cycle(cycle); err != nil {
			return err
		}
	}
}

// look lets mini-batch m enter the window, if there is one.
func (s *System) look(b *train.Batches, m int) error {
	batch, err := b.At(m)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	s.flights[m] = &flight{m: m, batch: batch}
	s.Cluster.Watch.Begin(m, batch)
	for t, manager := range s.managers {
		s.ahead(manager, m, rowsOf(s.model, batch, t))
	}
	return nil
}

// cycle lets the mini-batches in flight go through a stage each.
func (s *System) cycle(cycle int) error {
	for _, stage := range s.stages {
		if f := s.flights[cycle-stage.behind]; f != nil {
			if err := stage.run(s, f); err != nil {
				return err
			}
		}
	}
	return nil
}
