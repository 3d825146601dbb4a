package staticcache

import (
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Train implements train.System. It fails before training if the memories are too small. It fills
// the cache with the rows that this training reads most often, which is optimal for a static cache.
func (h *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	h.Buffer(b.Size())
	return h.Run(b, w, func(m int, batch dlrm.Batch) (train.Step, error) {
		filled := 0
		if m == b.First() {
			var err error
			if filled, err = h.fill(b); err != nil {
				return train.Step{}, err
			}
		}
		step, err := h.step(m, batch)
		step.Work.Promoted = filled
		return step, err
	}, done)
}

// fill counts the rows of all mini-batches and moves the top rows to the GPUs. It returns their
// number.
func (h *System) fill(b *train.Batches) (int, error) {
	counted, err := cluster.CountRows(b, h.Model(), b.First(), math.MaxInt, 1)
	if err != nil {
		return 0, err
	}
	var top []cluster.Row
	for t := range h.Model().Tables {
		top = append(top, counted.Top(h.cached(t), func(table int) bool { return table == t })...)
	}
	_, _, err = h.Set(top)
	h.counts.cached = int64(len(top))
	return len(top), err
}

// step trains on one mini-batch.
func (h *System) step(m int, batch dlrm.Batch) (train.Step, error) {
	h.Cluster.Watch.Begin(m, batch)
	defer h.Cluster.Watch.End(m)
	missed, err := h.Fetch(batch, batch.All())
	if err != nil {
		return train.Step{}, err
	}
	step, sum, err := h.Cluster.Step(m, batch, func(g, _, i int, pooled []float32) error {
		return h.Cluster.Pool(g, batch.At(i), pooled, h.ReadOn)
	})
	if err != nil {
		return step, err
	}
	step.Work = timing.Work{Inputs: batch.Len(), HotTable: h.Len(), ColdCopies: missed.Rows, Listed: sum.Listed - missed.Rows, Own: Work{Missed: missed.Lookups, MissedBags: missed.Bags}}
	h.counts.misses += int64(missed.Lookups)
	hits := len(batch.Sparse) - missed.Lookups
	h.counts.hits += int64(hits)
	h.counts.copied += int64(missed.Rows)
	step.Hits = &hits
	step.Work.HotRows, step.Work.ColdRows, err = h.Update(sum.Rows)
	h.counts.updated += int64(step.Work.ColdRows)
	return step, err
}
