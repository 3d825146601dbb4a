package cpuhotline

import (
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Train implements train.System. It fails before training if the memories are too small.
func (h *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	h.Buffer(b.Size())
	return h.Run(b, w, func(m int, batch dlrm.Batch) (train.Step, error) {
		var work timing.Work
		if m == b.First() || h.opts.Relearn > 0 && m%h.opts.Relearn == 0 {
			if err := h.learn(b, m, &work); err != nil {
				return train.Step{}, err
			}
		}
		return h.step(m, batch, work)
	}, done)
}

// learn counts rows in the learning epoch that starts with mini-batch m, and moves the rows whose
// place changes.
func (h *System) learn(b *train.Batches, m int, work *timing.Work) error {
	end := math.MaxInt
	if h.opts.Relearn > 0 {
		end = m - m%h.opts.Relearn + h.opts.Relearn
	}
	counted, err := cluster.CountRows(b, h.Model(), m, end, max(1, int(math.Round(1/h.opts.Sample))))
	if err != nil {
		return err
	}
	work.Own = Work{Counted: counted.Lookups}
	work.Promoted, work.Demoted, err = h.Set(counted.Top(h.opts.Rows, func(int) bool { return true }))
	h.counts.learned += int64(counted.MiniBatches)
	h.counts.counted += int64(counted.Lookups)
	h.counts.promoted += int64(work.Promoted)
	h.counts.demoted += int64(work.Demoted)
	return err
}

// step trains on one mini-batch.
func (h *System) step(m int, batch dlrm.Batch, work timing.Work) (train.Step, error) {
	h.Cluster.Watch.Begin(m, batch)
	defer h.Cluster.Watch.End(m)
	popular, others := h.segregate(batch)
	fetched, err := h.Fetch(batch, others)
	if err != nil {
		return train.Step{}, err
	}
	h.probs = h.Cluster.Probabilities(batch.Len())
	for _, inputs := range [][]int{popular, others} {
		err := h.Cluster.Train(m, batch, inputs, h.probs, func(g, _, i int, pooled []float32) error {
			return h.Cluster.Pool(g, batch.At(i), pooled, h.ReadOn)
		})
		if err != nil {
			return train.Step{}, err
		}
	}
	n, hits := len(popular), len(batch.Sparse)-fetched.Lookups
	work.Inputs, work.Popular, work.HotTable, work.ColdCopies = batch.Len(), n, h.Len(), fetched.Rows
	loss, err := h.update(&work)
	h.counts.inputs += int64(batch.Len())
	h.counts.popular += int64(n)
	h.counts.cold += int64(fetched.Rows)
	return train.Step{MiniBatch: m, Loss: loss, Popular: &n, Hits: &hits, Labels: batch.Labels, Probabilities: h.probs, Work: work}, err
}

// segregate returns the popular and the non-popular inputs of a mini-batch.
func (h *System) segregate(batch dlrm.Batch) (popular, others []int) {
	for i := range batch.Len() {
		if cluster.All(h.Model(), batch.At(i), h.Has) {
			popular = append(popular, i)
		} else {
			others = append(others, i)
		}
	}
	return popular, others
}

// update ends a mini-batch. The GPUs update dense parameters and hot rows; the CPU updates cold
// rows.
func (h *System) update(work *timing.Work) (loss float32, err error) {
	sum, err := h.Cluster.AllReduce()
	if err != nil {
		return 0, err
	}
	defer h.Cluster.Reset()
	if err := h.Cluster.Apply(sum); err != nil {
		return 0, err
	}
	work.Listed = sum.Listed
	work.HotRows, work.ColdRows, err = h.Update(sum.Rows)
	h.counts.updated += int64(work.ColdRows)
	return sum.Loss, err
}
