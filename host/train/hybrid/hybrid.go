package hybrid

import (
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/parts"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// System is the hybrid baseline. It implements train.System.
type System struct {
	model   rec.Config
	cluster *parts.Cluster
	tables  *parts.Tables
	pooled  []float32 // of a mini-batch: inputs x tables x Dim
	name    string
	order   timing.System
}

// New makes the baseline on a machine whose slot may be empty. Its model begins as
// in a state.
func New(s *server.Server, from *train.State) *System {
	return &System{name: "hybrid CPU-GPU", order: timing.Hybrid, model: from.Model, cluster: parts.NewCluster(s, from), tables: parts.NewTables(s.Host, from)}
}

// NewIntel is New with the CPU kernels of the DLRM that Intel has optimised, whatever
// the software profile says. What it computes is the same.
func NewIntel(s *server.Server, from *train.State) *System {
	h := New(s, from)
	h.name, h.order = "hybrid CPU-GPU, Intel kernels", timing.HybridFused
	return h
}

// Name implements train.System.
func (h *System) Name() string { return h.name }

// Model implements train.System.
func (h *System) Model() rec.Config { return h.model }

// Net implements train.System.
func (h *System) Net() *rec.Net { return h.cluster.GPUs[0].Net }

// Row implements train.System.
func (h *System) Row(table int, index uint32, dst []float32) error {
	return h.tables.Read(table, index, dst)
}

// RowState implements train.System.
func (h *System) RowState(table int, index uint32) []float32 { return h.cluster.RowState(table, index) }

// Touched implements train.System.
func (h *System) Touched(table int) []train.Span { return h.tables.Touched(table) }

// Counts implements train.System. There are none.
func (h *System) Counts() []train.Count { return nil }

// Order implements train.System.
func (h *System) Order() timing.System { return h.order }

// Train implements train.System. It begins if all fits into the memories.
func (h *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	if err := h.cluster.Reserve(b.Size()); err != nil {
		return err
	}
	h.cluster.Watch = w
	if err := b.Steps(h.step, done); err != nil {
		return err
	}
	return h.cluster.CheckReplicas()
}

// step trains on one mini-batch, whose rows the CPU pools.
func (h *System) step(m int, batch rec.Batch) (train.Step, error) {
	h.cluster.Watch.Begin(m, batch)
	defer h.cluster.Watch.End(m)
	if !h.cluster.Valueless() {
		var err error
		if h.pooled, err = h.tables.Pool(batch, h.pooled); err != nil {
			return train.Step{}, err
		}
	}
	step, sum, err := h.cluster.Step(m, batch, func(_, _, i int, pooled []float32) error {
		copy(pooled, h.pooled[i*len(pooled):])
		return nil
	})
	if err != nil {
		return step, err
	}
	step.Work = timing.Work{Inputs: batch.Len()}
	return step, h.tables.Update(sum.Rows)
}
