package hugectr

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/parts"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// System are the GPUs. It implements train.System.
type System struct {
	model    rec.Config
	cluster  *parts.Cluster
	shards   *parts.Shards
	exchange *parts.Exchange
	gathered int64
}

// CountGathered is the label of the rows that GPUs gave, themselves included.
const CountGathered = "rows exchanged"

// New makes the system on a machine whose slot may be empty. Its model begins as in
// a state.
func New(s *server.Server, from *train.State) *System {
	c := parts.NewCluster(s, from)
	return &System{model: from.Model, cluster: c, shards: parts.NewShards(c, from)}
}

// Name implements train.System.
func (h *System) Name() string { return "GPU-only" }

// Model implements train.System.
func (h *System) Model() rec.Config { return h.model }

// Net implements train.System.
func (h *System) Net() *rec.Net { return h.cluster.GPUs[0].Net }

// Row implements train.System.
func (h *System) Row(table int, index uint32, dst []float32) error {
	return h.shards.Read(parts.Row{Table: table, Index: index}, dst)
}

// RowState implements train.System.
func (h *System) RowState(table int, index uint32) []float32 { return h.cluster.RowState(table, index) }

// Touched implements train.System.
func (h *System) Touched(table int) []train.Span { return h.shards.Touched(table) }

// Counts implements train.System.
func (h *System) Counts() []train.Count {
	return []train.Count{{Label: CountGathered, N: h.gathered}}
}

// Order implements train.System.
func (h *System) Order() timing.System { return timing.ModelParallel }

// Train implements train.System. It begins if all fits into the memories.
func (h *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	h.exchange = parts.NewExchange(h.shards, b.Size())
	if err := h.cluster.Reserve(b.Size()); err != nil {
		return err
	}
	h.cluster.Watch = w
	if err := b.Steps(h.step, done); err != nil {
		return err
	}
	return h.cluster.CheckReplicas()
}

// step trains on one mini-batch.
func (h *System) step(m int, batch rec.Batch) (train.Step, error) {
	h.cluster.Watch.Begin(m, batch)
	defer h.cluster.Watch.End(m)
	all := make([]int, batch.Len())
	for i := range all {
		all[i] = i
	}
	given, err := h.exchange.Gather(batch, all)
	if err != nil {
		return train.Step{}, err
	}
	step, sum, err := h.cluster.Step(m, batch, func(g, k, i int, pooled []float32) error {
		return h.exchange.Pool(g, k, batch.At(i), pooled)
	})
	if err != nil {
		return step, err
	}
	h.gathered += int64(len(batch.Sparse))
	step.Work = timing.Work{Inputs: batch.Len(), Gathered: slices.Max(given)}
	return step, h.shards.Update(sum.Rows)
}
