package staticcache

import (
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Train implements train.System. It fails before training if the memories are too small. It fills
// the cache with the rows that the first mini-batches read most often.
func (h *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	h.Buffer(b.Size())
	return h.Run(b, w, func(m int, batch dlrm.Batch) (train.Step, error) {
		var filled timing.Work
		if m == b.First() {
			var err error
			if filled, err = h.fill(b); err != nil {
				return train.Step{}, err
			}
		}
		return h.step(m, batch, filled)
	}, done)
}

// fill counts the rows of the sample and moves the top rows to the GPUs. It returns the work that
// this takes.
func (h *System) fill(b *train.Batches) (timing.Work, error) {
	n, err := b.Rest()
	if err != nil {
		return timing.Work{}, err
	}
	sample := int(math.Ceil(h.opts.Sample * float64(n)))
	counted, err := cluster.CountRows(b, h.Model(), b.First(), b.First()+sample, 1)
	if err != nil {
		return timing.Work{}, err
	}
	var top []cluster.Row
	for t := range h.Model().Tables {
		top = append(top, counted.Top(h.cached(t), func(table int) bool { return table == t })...)
	}
	_, _, err = h.Set(top)
	h.counts.counted, h.counts.cached = int64(counted.Lookups), int64(len(top))
	return timing.Work{Promoted: len(top), Own: Work{Counted: counted.Lookups / h.Model().Lookups()}}, err
}

// step trains on one mini-batch, before which the cache is filled.
func (h *System) step(m int, batch dlrm.Batch, filled timing.Work) (train.Step, error) {
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
	own := timing.Own[Work](filled)
	own.Missed, own.MissedBags = missed.Lookups, missed.Bags
	step.Work = timing.Work{Inputs: batch.Len(), HotTable: h.Len(), ColdCopies: missed.Rows, Listed: sum.Listed - missed.Rows, Promoted: filled.Promoted, Own: own}
	h.counts.misses += int64(missed.Lookups)
	hits := len(batch.Sparse) - missed.Lookups
	h.counts.hits += int64(hits)
	h.counts.copied += int64(missed.Rows)
	step.Hits = &hits
	step.Work.HotRows, step.Work.ColdRows, err = h.Update(sum.Rows)
	h.counts.updated += int64(step.Work.ColdRows)
	return step, err
}
