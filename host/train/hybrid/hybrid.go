package hybrid

import (
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// System is the hybrid baseline. It implements train.System.
type System struct {
	*cluster.Cluster
	*cluster.Tables
	pooled []float32 // of a mini-batch: inputs x bags x Dim
	name   string
	order  timing.System
}

// Descriptions returns the descriptions of the baseline and of its variant with other kernels.
func Descriptions() []registry.Description {
	return []registry.Description{
		{Name: "hybrid", Title: "hybrid CPU-GPU: rows in CPU memory, MLPs data-parallel on the GPUs", New: registry.Plain(New)},
		{Name: "hybrid-intel", Title: "hybrid with the CPU kernels of the DLRM that Intel optimised, whatever the profile says", New: registry.Plain(NewIntel)},
	}
}

// New returns the baseline on a machine whose slot may be empty. Its model starts from a state.
func New(s *server.Server, from *train.State) *System {
	return &System{name: "hybrid CPU-GPU", order: Order, Cluster: cluster.NewCluster(s, from), Tables: cluster.NewTables(s.Host, from)}
}

// NewIntel is like [New] with the CPU kernels of Intel's optimised DLRM, whatever the software
// profile says. It computes the same values.
func NewIntel(s *server.Server, from *train.State) *System {
	h := New(s, from)
	h.name, h.order = "hybrid CPU-GPU, Intel kernels", FusedOrder
	return h
}

// Name implements train.System.
func (h *System) Name() string { return h.name }

// Row implements train.System.
func (h *System) Row(table int, index uint32, dst []float32) error {
	return h.Tables.Read(table, index, dst)
}

// Counts implements train.System. The baseline has no counts.
func (h *System) Counts() []train.Count { return nil }

// Order implements train.System.
func (h *System) Order() timing.System { return h.order }

// Train implements train.System. It fails before training if the memories are too small.
func (h *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	return h.Run(b, w, h.step, done)
}

// step trains on one mini-batch, whose rows the CPU pools.
func (h *System) step(m int, batch dlrm.Batch) (train.Step, error) {
	h.Cluster.Watch.Begin(m, batch)
	defer h.Cluster.Watch.End(m)
	if !h.Cluster.Valueless() {
		var err error
		if h.pooled, err = h.Tables.Pool(batch, h.pooled); err != nil {
			return train.Step{}, err
		}
	}
	step, sum, err := h.Cluster.Step(m, batch, h.PooledByCPU(h.pooled))
	if err != nil {
		return step, err
	}
	step.Work = timing.Work{Inputs: batch.Len(), ColdRows: len(sum.Rows)}
	return step, h.Tables.Update(sum.Rows)
}
