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
	managers []*manager // of each table; set when the size of mini-batches is known
	storages []storage
	flights  map[int]*flight
	vectors  []float32 // of a mini-batch: inputs x bags x Dim
	counts   counts
	done     func(train.Step) error
	ahead    func(m *manager, batch int, rows []uint32) // manager.look, or a variant of it
}

// variant is a way to run the stages.
type variant struct {
	name    string
	order   timing.System
	stages  []stage
	buffers int // buffers for rows in transit; a single stage needs one

	past, future int // mini-batches of its window
}

// stage processes a mini-batch a fixed number of cycles after Plan.
type stage struct {
	behind int
	run    func(*System, *flight) error
}

// pipelined returns the stages of a cycle. They run concurrently on the machine; here they run in
// the worst order for correctness: all reads precede the writes.
func pipelined() []stage {
	return []stage{{1, (*System).collect}, {2, (*System).exchange}, {3, (*System).insert}, {4, (*System).train}, {0, (*System).plan}}
}

// Descriptions returns the descriptions of the variants of ScratchPipe, which share a block.
func Descriptions() []registry.Description {
	o := DefaultOptions()
	list := []registry.Description{
		{Name: "scratchpipe", Title: "ScratchPipe (ISCA 2022): rows come to the GPUs before they are read, in a pipeline", New: registry.Optioned(New)},
		{Name: "scratchpipe-strawman", Title: "the same, one mini-batch after the other", New: registry.Optioned(NewStrawman)},
		{Name: "scratchpipe-ideal", Title: "the same without read-after-write dependencies, as in the Hotline paper", Guarantee: registry.Approximate, New: registry.Optioned(NewIdeal)},
	}
	for i := range list {
		list[i].Block, list[i].Options = "scratchpipe", &o
		list[i].Mechanisms = []registry.Mechanism{{Count: CountFills, Idle: "no row came to the GPUs"}, {Count: CountLeaves, Idle: "the GPUs held all rows that were read, so none was evicted"}}
	}
	return list
}

// New returns ScratchPipe on a machine whose slot may be empty. Its model starts from a state. It
// fails if Options.Check does.
func New(s *server.Server, from *train.State, o Options) (*System, error) {
	return newSystem(s, from, o, variant{"ScratchPipe", Order, pipelined(), 2, o.Past, o.Future})
}

// NewStrawman is like [New], but without a pipeline: a mini-batch starts after the previous one has
// ended, so the window is a single mini-batch.
func NewStrawman(s *server.Server, from *train.State, o Options) (*System, error) {
	stages := pipelined()
	stages = append(stages[4:], stages[:4]...) // Plan is the first
	for i := range stages {
		stages[i].behind = 0
	}
	return newSystem(s, from, o, variant{"ScratchPipe straw-man", StrawmanOrder, stages, 1, 0, 0})
}

// The window of NewIdeal holds rows that arrive while another row is collected; without this, rows
// would be mixed up. It neither holds rows that are updated then nor looks ahead, so rows in host
// memory may lack updates.
const (
	idealPast   = LeastPast - 1
	idealFuture = 0
)

// NewIdeal is like [New], but ignores some dependencies: it does not look ahead, and it collects
// rows without waiting for their updates. Some rows are stale, and some updates are lost.
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

// Row implements train.System. A row is in host memory until Insert writes it to a slot, and in the
// slot until Insert writes another row there.
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

// Train implements train.System. It fails before training if the memories are too small.
func (s *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	if err := s.reserve(b.Size()); err != nil {
		return err
	}
	s.Cluster.Watch, s.done = w, done
	b.Keep(2 * MostWindow) // the planned mini-batches, and those that enter the window
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

// look adds mini-batch m, if it exists, to the window.
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

// cycle advances each mini-batch in flight by one stage.
func (s *System) cycle(cycle int) error {
	for _, stage := range s.stages {
		if f := s.flights[cycle-stage.behind]; f != nil {
			s.Cluster.Ledger().For(f.m)
			if err := stage.run(s, f); err != nil {
				return err
			}
		}
	}
	return nil
}
