package hotline

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/parts"
)

// step trains on mini-batch m, which is classified.
func (h *System) step(m int) (train.Step, error) {
	batch := h.batches.At(m)
	s, err := h.split(m)
	if err != nil {
		return train.Step{}, err
	}
	h.probs = append(h.probs[:0], make([]float32, batch.Len())...)
	marked := h.markVectors(len(s.others))
	h.launchPopular(batch, s.popular)
	if err := h.gatherBehindClassify(m, len(s.others), marked); err != nil {
		return train.Step{}, err
	}
	if err := h.cluster.Wait(); err != nil {
		return train.Step{}, err
	}
	h.ledger.Mark(partPopular)
	if err := h.drain(); err != nil {
		return train.Step{}, err
	}
	h.ledger.MarkUntil(partUpdate, h.counts.lastUpdate)
	h.ledger.Mark(partGather)

	h.launchOthers(batch, s.others)
	if m+2 < h.batches.Len() {
		if err := h.stage(m + 2); err != nil {
			return train.Step{}, err
		}
	}
	if err := h.cluster.Wait(); err != nil {
		return train.Step{}, err
	}
	h.ledger.Mark(partNonPopular)

	loss, err := h.update(m)
	popular := len(s.popular)
	return train.Step{MiniBatch: m, Loss: loss, Popular: &popular, Probabilities: h.probs, Time: h.s.Kernel.Now()}, err
}

// gatherBehindClassify lets the accelerator classify the next mini-batch, unless
// the hot set changes before it, and then gather for this one when the areas of
// the vectors are marked.
func (h *System) gatherBehindClassify(m, others int, marked node.Time) error {
	if next := m + 1; next < h.batches.Len() && !h.learnsBefore(next) {
		if err := h.classify(next); err != nil {
			return err
		}
	}
	if others == 0 {
		return nil
	}
	if err := h.s.Kernel.RunTo(max(marked, h.s.Kernel.Now())); err != nil {
		return err
	}
	return h.submit(driver.Gather(m%2, h.batches.At(m).Len()), func(got driver.Completion) {
		h.counts.hotRows += int64(got.Value0)
		h.counts.coldRows += int64(got.Value1)
		if rows := int(got.Value0) + int(got.Value1); rows != others*h.model.Lookups() {
			h.failed = fmt.Errorf("hotline: the accelerator gathered %d rows for %d inputs with %d lookups", rows, others, h.model.Lookups())
		}
	})
}

// launchPopular lets the GPUs train on the popular inputs, dealt out in turn,
// from the rows in their own hot tables.
func (h *System) launchPopular(batch rec.Batch, popular []int) {
	for g := range h.gpu {
		share := h.cluster.Share(len(popular), g)
		d := h.cluster.Cost.EmbeddingForward(share) + h.cluster.Cost.MLP(share) + h.cluster.Cost.EmbeddingBackward(share)
		h.cluster.Launch(g, partPopular, 0, d, func(gpu *parts.GPU) error {
			inputs, size := h.cluster.Deal(popular, g), len(h.model.Bags())*h.model.Dim
			pooled := make([]float32, len(inputs)*size)
			for k, i := range inputs {
				if err := h.poolHot(g, batch.At(i), pooled[k*size:][:size]); err != nil {
					return err
				}
			}
			gpu.Train(batch, inputs, pooled, h.probs)
			return nil
		})
	}
}

// poolHot pools the rows of a popular input from the hot table of GPU g.
func (h *System) poolHot(g int, in rec.Sample, pooled []float32) error {
	var failed error
	h.model.PoolSample(pooled, in.Sparse, func(table int, index uint32) []float32 {
		if err := h.readHot(g, h.hot[h.ids.of(table, index)], h.row); err != nil && failed == nil {
			failed = err
		}
		return h.row
	})
	return failed
}

// launchOthers lets the GPUs train on the other inputs, dealt out in turn, from
// the pooled vectors that the accelerator has written to their memories, after
// checking that they are all there.
func (h *System) launchOthers(batch rec.Batch, others []int) {
	size := len(h.model.Bags()) * h.model.Dim
	for g := range h.gpu {
		share := h.cluster.Share(len(others), g)
		d := h.cluster.Cost.Check(share*size*wordBytes) + h.cluster.Cost.MLP(share) + h.cluster.Cost.EmbeddingBackward(share)
		h.cluster.Launch(g, partNonPopular, 0, d, func(gpu *parts.GPU) error {
			inputs := h.cluster.Deal(others, g)
			pooled := make([]float32, len(inputs)*size)
			for k, i := range inputs {
				if err := h.readVectors(g, k, i, pooled[k*size:][:size]); err != nil {
					return err
				}
			}
			gpu.Train(batch, inputs, pooled, h.probs)
			return nil
		})
	}
}
