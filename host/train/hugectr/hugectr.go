package hugectr

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// System trains on GPUs only. It implements train.System.
type System struct {
	*cluster.Cluster
	shards   *cluster.Shards
	exchange *cluster.Exchange
	gathered int64
}

// CountGathered is the label of the number of rows that GPUs sent, including rows that a GPU keeps.
const CountGathered = "rows exchanged"

// Descriptions returns the description of the system.
func Descriptions() []registry.Description {
	return []registry.Description{{
		Name: "hugectr", Title: "GPUs alone, as HugeCTR: tables dealt out row by row, rows exchanged all to all",
		New: registry.Plain(New),
	}}
}

// New returns the system on a machine whose slot may be empty. Its model starts from a state.
func New(s *server.Server, from *train.State) *System {
	c := cluster.NewCluster(s, from)
	return &System{Cluster: c, shards: cluster.NewShards(c, from)}
}

// Name implements train.System.
func (h *System) Name() string { return "GPU-only" }

// Row implements train.System.
func (h *System) Row(table int, index uint32, dst []float32) error {
	return h.shards.Read(cluster.Row{Table: table, Index: index}, dst)
}

// Touched implements train.System.
func (h *System) Touched(table int) []train.Span { return h.shards.Touched(table) }

// Counts implements train.System.
func (h *System) Counts() []train.Count {
	return []train.Count{{Label: CountGathered, N: h.gathered}}
}

// Order implements train.System.
func (h *System) Order() timing.System { return Order }

// Train implements train.System. It fails before training if the memories are too small.
func (h *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	h.exchange = cluster.NewExchange(h.shards, b.Size())
	return h.Run(b, w, h.step, done)
}

// step trains on one mini-batch.
func (h *System) step(m int, batch dlrm.Batch) (train.Step, error) {
	h.Cluster.Watch.Begin(m, batch)
	defer h.Cluster.Watch.End(m)
	given, err := h.exchange.Gather(batch, batch.All())
	if err != nil {
		return train.Step{}, err
	}
	step, sum, err := h.Cluster.Step(m, batch, func(g, k, i int, pooled []float32) error {
		return h.exchange.Pool(g, k, batch.At(i), pooled)
	})
	if err != nil {
		return step, err
	}
	h.gathered += int64(len(batch.Sparse))
	step.Work = timing.Work{Inputs: batch.Len(), HotRows: len(sum.Rows), Own: Work{Gathered: slices.Max(given)}}
	return step, h.shards.Update(sum.Rows)
}
