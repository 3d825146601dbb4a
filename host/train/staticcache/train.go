package staticcache

import (
	"math"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/parts"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Train implements train.System. It begins if all fits into the memories, and fills
// the cache with the rows that this training looks up most often: a static cache can
// hold no better ones.
func (h *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	h.misses = parts.NewBuffers(h.cluster, h.tables, b.Size())
	if err := h.cluster.Reserve(b.Size()); err != nil {
		return err
	}
	h.cluster.Watch = w
	if err := h.fill(b); err != nil {
		return err
	}
	if err := b.Steps(h.step, done); err != nil {
		return err
	}
	return h.cluster.CheckReplicas()
}

// fill counts the rows of all mini-batches and moves the top ones to the GPUs.
func (h *System) fill(b *train.Batches) error {
	counted, err := parts.CountRows(b, h.model, b.First(), math.MaxInt, 1)
	if err != nil {
		return err
	}
	var top []parts.Row
	for t := range h.model.Tables {
		top = append(top, counted.Top(h.cached(t), func(table int) bool { return table == t })...)
	}
	_, _, err = h.cache.Set(top)
	h.counts.cached = int64(len(top))
	return err
}

// step trains on one mini-batch.
func (h *System) step(m int, batch rec.Batch) (train.Step, error) {
	h.cluster.Watch.Begin(m, batch)
	defer h.cluster.Watch.End(m)
	all := make([]int, batch.Len())
	for i := range all {
		all[i] = i
	}
	missed, err := h.misses.Fetch(batch, all, func(row parts.Row) bool { return !h.cache.Has(row) })
	if err != nil {
		return train.Step{}, err
	}
	step, sum, err := h.cluster.Step(m, batch, func(g, _, i int, pooled []float32) error {
		return h.cluster.Pool(g, batch.At(i), pooled, h.read)
	})
	if err != nil {
		return step, err
	}
	step.Work = timing.Work{Inputs: batch.Len(), HotTable: h.cache.Len(), ColdCopies: missed.Rows, Missed: missed.Lookups, MissedBags: missed.Bags, Listed: sum.Listed}
	h.counts.misses += int64(missed.Lookups)
	hits := len(batch.Sparse) - missed.Lookups
	h.counts.hits += int64(hits)
	h.counts.copied += int64(missed.Rows)
	step.Hits = &hits
	err = h.update(sum.Rows, &step.Work)
	return step, err
}

// read reads a row where a GPU has it.
func (h *System) read(g int, row parts.Row, dst []float32) error {
	if h.cache.Has(row) {
		return h.cache.ReadOn(g, row, dst)
	}
	return h.misses.ReadOn(g, row, dst)
}

// update lets the GPUs update cached rows, and the CPU the others.
func (h *System) update(rows []rec.RowGrad, work *timing.Work) error {
	hits, misses := h.cache.Split(rows)
	work.HotRows, work.ColdRows = len(hits), len(misses)
	h.counts.updated += int64(len(misses))
	if err := h.cache.Update(hits); err != nil {
		return err
	}
	return h.tables.Update(misses)
}
