package hotline

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// step trains on mini-batch m, which has been classified.
func (h *System) step(m int) (train.Step, error) {
	batch, err := h.batches.At(m)
	if err != nil {
		return train.Step{}, err
	}
	h.Cluster.Watch.Begin(m, batch)
	h.work, h.next = h.next, asked{}
	before := h.counts
	var s split
	err = h.persist(func() (err error) {
		s, err = h.forwardAndBackward(m, batch, before)
		return err
	})
	if err != nil {
		return train.Step{}, err
	}
	loss, err := h.update(m)
	h.Cluster.Watch.End(m)
	popular, hits := len(s.popular), len(batch.Sparse)-int(h.counts.coldRows-before.coldRows)
	h.work.Inputs, h.work.Popular, h.work.HotTable, h.work.Own = batch.Len(), popular, len(h.hot), h.work.commands
	return train.Step{MiniBatch: m, Loss: loss, Popular: &popular, Hits: &hits, Labels: batch.Labels, Probabilities: h.probs, Work: h.work.Work}, err
}

// forwardAndBackward computes the gradients of mini-batch m on the GPUs; before are the counts at
// the start of the mini-batch. It changes no row, so it can be repeated after discarding the
// gradients of the GPUs.
func (h *System) forwardAndBackward(m int, batch dlrm.Batch, before counts) (s split, err error) {
	if h.blank {
		h.Cluster.Reset()
		h.counts.again(before)
		h.next = h.work
		if err := h.learn(m); err != nil {
			return s, err
		}
		h.work, h.next = h.next, asked{}
	}
	if s, err = h.split(m, batch); err != nil {
		return s, err
	}
	h.probs = h.Cluster.Probabilities(batch.Len())
	if err := h.gatherBehindClassify(m, batch.Len(), len(s.others)); err != nil {
		return s, err
	}
	if err := h.drv.Ring(); err != nil { // the accelerator works while the GPUs train
		return s, err
	}
	if err := h.trainPopular(m, batch, s.popular); err != nil {
		return s, err
	}
	if err := h.drain(); err != nil {
		return s, err
	}
	if len(s.others) > 0 {
		h.work.commands.Gather += h.flushed
	}
	return s, h.trainOthers(m, batch, s.others)
}

// gatherBehindClassify submits the classification of the next mini-batch, unless the hot set
// changes before it, and then the gathering for this mini-batch.
func (h *System) gatherBehindClassify(m, inputs, others int) error {
	more, err := h.batches.Has(m + 1)
	if err != nil {
		return err
	}
	if next := m + 1; more && !h.learnsBefore(next) {
		if err := h.classify(next); err != nil {
			return err
		}
	}
	if others == 0 {
		return nil
	}
	return h.submit(driver.Gather(m%2, inputs), func(got driver.Completion, took des.Time) {
		h.work.commands.Gather, h.work.commands.Cold = took, int(got.Value1)
		h.counts.hotRows += int64(got.Value0)
		h.counts.coldRows += int64(got.Value1)
		if !h.Cluster.Valueless() {
			h.claim(got, h.vectors(others))
		}
		if rows := int(got.Value0) + int(got.Value1); rows != others*h.model.Lookups() {
			h.failed = wrong("hotline: the accelerator gathered %d rows for %d inputs with %d lookups", rows, others, h.model.Lookups())
		}
	})
}

// trainPopular trains the GPUs on the popular inputs, with rows of their own hot tables.
func (h *System) trainPopular(m int, batch dlrm.Batch, popular []int) error {
	return h.Cluster.Train(m, batch, popular, h.probs, func(g, _, i int, pooled []float32) error {
		return h.poolHot(g, batch.At(i), pooled)
	})
}

// poolHot pools the rows of a popular input from the hot table of GPU g.
func (h *System) poolHot(g int, in dlrm.Sample, pooled []float32) error {
	var failed error
	row := make([]float32, h.model.Dim)
	h.model.PoolSample(pooled, in.Sparse, func(table int, index uint32) []float32 {
		if err := h.readHot(g, h.hot[h.ids.of(table, index)], row); err != nil && failed == nil {
			failed = err
		}
		return row
	})
	return failed
}

// trainOthers trains the GPUs on the non-popular inputs, with the pooled vectors that the
// accelerator has written to GPU memory.
func (h *System) trainOthers(m int, batch dlrm.Batch, others []int) error {
	return h.Cluster.Train(m, batch, others, h.probs, func(g, k, _ int, pooled []float32) error {
		return h.gpu[g].pooled.ReadFloat32s(k*len(pooled)*arch.WordBytes, pooled)
	})
}
