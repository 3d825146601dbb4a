package hybrid

import (
	"errors"
	"io"

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
	probs   []float32
}

// New makes the baseline on a machine whose slot may be empty. Its model begins as
// in a state.
func New(s *server.Server, from *train.State) *System {
	return &System{model: from.Model, cluster: parts.NewCluster(s, from), tables: parts.NewTables(s.Host, from)}
}

// Name implements train.System.
func (h *System) Name() string { return "hybrid CPU-GPU" }

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
func (h *System) Order() timing.System { return timing.Hybrid }

// Train implements train.System. It begins if all fits into the memories.
func (h *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	if err := h.cluster.Reserve(b.Size()); err != nil {
		return err
	}
	h.cluster.Watch = w
	for m := b.First(); ; m++ {
		batch, err := b.At(m)
		if errors.Is(err, io.EOF) {
			return h.cluster.CheckReplicas()
		}
		if err != nil {
			return err
		}
		loss, err := h.step(m, batch)
		if err != nil {
			return err
		}
		err = done(train.Step{MiniBatch: m, Loss: loss, Labels: batch.Labels, Probabilities: h.probs, Work: timing.Work{Inputs: batch.Len()}})
		if err != nil {
			return err
		}
	}
}

// step trains on one mini-batch.
func (h *System) step(m int, batch rec.Batch) (loss float32, err error) {
	h.cluster.Watch.Begin(m, batch)
	defer h.cluster.Watch.End(m)
	if err := h.train(m, batch); err != nil {
		return 0, err
	}
	sum, err := h.cluster.AllReduce()
	if err != nil {
		return 0, err
	}
	defer h.cluster.Reset()
	if err := h.cluster.Apply(sum); err != nil {
		return 0, err
	}
	return sum.Loss, h.tables.Update(sum.Rows)
}

// train lets the GPUs train on the inputs, whose rows the CPU has pooled.
func (h *System) train(m int, batch rec.Batch) error {
	if !h.cluster.Valueless() {
		var err error
		if h.pooled, err = h.tables.Pool(batch, h.pooled); err != nil {
			return err
		}
	}
	h.probs = h.cluster.Probabilities(batch.Len())
	all := make([]int, batch.Len())
	for i := range all {
		all[i] = i
	}
	return h.cluster.Train(m, batch, all, h.probs, func(_, _, i int, pooled []float32) error {
		copy(pooled, h.pooled[i*len(pooled):])
		return nil
	})
}
