package cpuhotline

import (
	"math"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/parts"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Train implements train.System. It begins if all fits into the memories.
func (h *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	h.cold = parts.NewBuffers(h.cluster, h.tables, b.Size())
	if err := h.cluster.Reserve(b.Size()); err != nil {
		return err
	}
	h.cluster.Watch = w
	err := b.Each(func(m int, batch rec.Batch) error {
		var work timing.Work
		if m == b.First() || h.opts.Relearn > 0 && m%h.opts.Relearn == 0 {
			if err := h.learn(b, m, &work); err != nil {
				return err
			}
		}
		step, err := h.step(m, batch, work)
		if err != nil {
			return err
		}
		return done(step)
	})
	if err != nil {
		return err
	}
	return h.cluster.CheckReplicas()
}

// learn counts rows in the stretch of mini-batches that begins with m, and moves
// those whose place changes.
func (h *System) learn(b *train.Batches, m int, work *timing.Work) error {
	end := math.MaxInt
	if h.opts.Relearn > 0 {
		end = m - m%h.opts.Relearn + h.opts.Relearn
	}
	counted, err := parts.CountRows(b, h.model, m, end, max(1, int(math.Round(1/h.opts.Sample))))
	if err != nil {
		return err
	}
	work.Counted = counted.Lookups
	work.Promoted, work.Demoted, err = h.hot.Set(counted.Top(h.opts.Rows, func(int) bool { return true }))
	h.counts.learned += int64(counted.MiniBatches)
	h.counts.counted += int64(counted.Lookups)
	h.counts.promoted += int64(work.Promoted)
	h.counts.demoted += int64(work.Demoted)
	return err
}

// step trains on one mini-batch.
func (h *System) step(m int, batch rec.Batch, work timing.Work) (train.Step, error) {
	h.cluster.Watch.Begin(m, batch)
	defer h.cluster.Watch.End(m)
	popular, others := h.segregate(batch)
	fetched, err := h.cold.Fetch(batch, others, func(row parts.Row) bool { return !h.hot.Has(row) })
	if err != nil {
		return train.Step{}, err
	}
	h.probs = h.cluster.Probabilities(batch.Len())
	for _, inputs := range [][]int{popular, others} {
		err := h.cluster.Train(m, batch, inputs, h.probs, func(g, _, i int, pooled []float32) error {
			return h.cluster.Pool(g, batch.At(i), pooled, h.read)
		})
		if err != nil {
			return train.Step{}, err
		}
	}
	n, hits := len(popular), len(batch.Sparse)-fetched.Lookups
	work.Inputs, work.Popular, work.HotTable, work.ColdCopies = batch.Len(), n, h.hot.Len(), fetched.Rows
	loss, err := h.update(&work)
	h.counts.inputs += int64(batch.Len())
	h.counts.popular += int64(n)
	h.counts.cold += int64(fetched.Rows)
	return train.Step{MiniBatch: m, Loss: loss, Popular: &n, Hits: &hits, Labels: batch.Labels, Probabilities: h.probs, Work: work}, err
}

// segregate finds the popular inputs of a mini-batch, and the others.
func (h *System) segregate(batch rec.Batch) (popular, others []int) {
	for i := range batch.Len() {
		if parts.All(h.model, batch.At(i), h.hot.Has) {
			popular = append(popular, i)
		} else {
			others = append(others, i)
		}
	}
	return popular, others
}

// read reads a row where a GPU has it.
func (h *System) read(g int, row parts.Row, dst []float32) error {
	if h.hot.Has(row) {
		return h.hot.ReadOn(g, row, dst)
	}
	return h.cold.ReadOn(g, row, dst)
}

// update ends a mini-batch: the GPUs update dense parameters and hot rows, the CPU
// the cold ones.
func (h *System) update(work *timing.Work) (loss float32, err error) {
	sum, err := h.cluster.AllReduce()
	if err != nil {
		return 0, err
	}
	defer h.cluster.Reset()
	if err := h.cluster.Apply(sum); err != nil {
		return 0, err
	}
	hot, cold := h.hot.Split(sum.Rows)
	work.HotRows, work.ColdRows, work.Listed = len(hot), len(cold), sum.Listed
	h.counts.updated += int64(len(cold))
	if err := h.hot.Update(hot); err != nil {
		return 0, err
	}
	return sum.Loss, h.tables.Update(cold)
}
