package cdlrm

import (
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
)

// step trains on mini-batch m; last reports whether it is the last of its window.
func (s *System) step(m int, batch dlrm.Batch, last bool) (train.Step, error) {
	defer s.Cluster.Watch.End(m)
	hits, err := s.fetchVictims(batch)
	if err != nil {
		return train.Step{}, err
	}
	s.probs = s.Cluster.Probabilities(batch.Len())
	err = s.Cluster.Train(m, batch, batch.All(), s.probs, func(g, _, i int, pooled []float32) error { return s.pool(g, batch.At(i), pooled) })
	if err != nil {
		return train.Step{}, err
	}
	loss, err := s.update(m)
	if err == nil && ((m+1)%s.opts.Lambda == 0 || last) {
		err = s.average()
	}
	s.work.Inputs, s.work.HotTable, s.work.Own = batch.Len(), s.slots, s.own
	return train.Step{MiniBatch: m, Loss: loss, Hits: &hits, Labels: batch.Labels, Probabilities: s.probs, Work: s.work}, err
}

// pool pools the rows of an input from the caches and the victim table of a GPU.
func (s *System) pool(g int, in dlrm.Sample, pooled []float32) error {
	var failed error
	row := make([]float32, s.model.Dim)
	s.model.PoolSample(pooled, in.Sparse, func(table int, index uint32) []float32 {
		if err := s.readGPU(g, table, index, row); err != nil && failed == nil {
			failed = err
		}
		return row
	})
	return failed
}

func (s *System) readGPU(g, table int, index uint32, dst []float32) error {
	if slot, number := s.occupied[table].find(index); slot != nil {
		return s.readCache(g, number, dst)
	}
	return s.readVictim(g, s.victims[g][keyOf(table, index)], dst)
}

// update applies the gradients of mini-batch m.
func (s *System) update(m int) (loss float32, err error) {
	if s.opts.Lambda > 1 {
		if err := s.Cluster.Each(func(g int, gpu *cluster.GPU) error { return s.updateOwn(m, g, gpu) }); err != nil {
			return 0, err
		}
	}
	sum, err := s.Cluster.AllReduce()
	if err != nil {
		return 0, err
	}
	defer s.Cluster.Reset()
	if err := s.Cluster.Apply(sum); err != nil {
		return 0, err
	}
	s.work.Listed = sum.Listed
	err = s.updateRows(sum)
	if s.own.Updated = len(s.gpu)*s.work.HotRows + s.own.Victims; s.opts.Lambda > 1 {
		s.own.Updated = sum.Listed // each GPU updates the cached rows that it has read
	}
	return sum.Loss, err
}

// updateRows updates the rows that the mini-batch has read, except cached rows that the GPUs have
// already updated.
func (s *System) updateRows(sum cluster.Sum) error {
	for _, r := range sum.Rows {
		slot, number := s.occupied[r.Table].find(r.Index)
		s.counts.reads++
		s.observe(r, slot)
		var err error
		switch {
		case slot == nil:
			s.counts.victims++
			s.work.ColdRows++
			err = s.updateVictim(r)
		case s.opts.Lambda > 1:
			s.apart[number] = struct{}{}
		default:
			err = s.updateCached(r, number)
		}
		if err != nil {
			return err
		}
		if slot != nil {
			s.work.HotRows++
			slot.updates++
		}
	}
	return nil
}

// observe records the age of a row that the mini-batch has read, and a new update of the row.
func (s *System) observe(r dlrm.RowGrad, slot *slot) {
	k := keyOf(r.Table, r.Index)
	has := s.versions.host[k]
	if slot != nil {
		has = slot.updates
	}
	s.counts.ages.add(s.versions.made[k] - has)
	s.versions.made[k]++
}

// updateCached updates a row on all GPUs by its gradient over all inputs.
func (s *System) updateCached(r dlrm.RowGrad, number int) error {
	if s.Cluster.Valueless() {
		return nil
	}
	for g := range s.gpu {
		if err := s.stepRow(g, number, r.Grad, s.model.LearningRate, s.row); err != nil {
			return err
		}
	}
	return nil
}

// updateOwn updates the cached rows that a GPU has read by the gradients of the GPU's own inputs.
// It scales the learning rate by the number of GPUs, so that the average of all GPUs makes a step
// of the usual size.
func (s *System) updateOwn(m, g int, gpu *cluster.GPU) error {
	own, err := gpu.Own()
	if err != nil || s.Cluster.Valueless() {
		return err
	}
	row, rate, update := make([]float32, s.model.Dim), s.model.LearningRate*float32(len(s.gpu)), s.model.Update(m)
	for _, r := range own {
		slot, number := s.occupied[r.Table].find(r.Index)
		if slot == nil {
			continue
		}
		update.Row(nil, r.Grad) // CheckModel refuses optimisers with states
		if err := s.stepRow(g, number, r.Grad, rate, row); err != nil {
			return err
		}
	}
	return nil
}

// stepRow updates a cached row of a GPU, with row as a buffer.
func (s *System) stepRow(g, number int, grad []float32, rate float32, row []float32) error {
	if err := s.readCache(g, number, row); err != nil {
		return err
	}
	dlrm.UpdateRow(row, grad, -rate)
	return s.writeCache(g, number, row)
}
