package scratchpipe

import (
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// train trains data-parallel on a mini-batch whose rows are all in slots, and ends its flight.
func (s *System) train(f *flight) error {
	if !s.Cluster.Valueless() {
		if err := s.pool(f); err != nil {
			return err
		}
	}
	step, sum, err := s.Cluster.Step(f.m, f.batch, s.PooledByGPUs(s.vectors))
	if err != nil {
		return err
	}
	if err := s.update(f, sum); err != nil {
		return err
	}
	s.Cluster.Watch.End(f.m)
	delete(s.flights, f.m)
	fills, leaves := f.moves()
	hits := 0
	for _, p := range f.plan {
		hits += p.hits
	}
	step.Hits = &hits
	step.Work = timing.Work{Inputs: f.batch.Len(), HotRows: len(sum.Rows), Own: Work{Slots: int(s.counts.slots), Fills: fills, Leaves: leaves}}
	return s.done(step)
}

// update updates rows in their planned slots.
func (s *System) update(f *flight, sum cluster.Sum) error {
	if s.Cluster.Valueless() {
		return nil
	}
	row := make([]float32, s.model.Dim)
	for _, r := range sum.Rows {
		slot := f.plan[r.Table].slots[r.Index]
		if err := s.read(r.Table, slot, row); err != nil {
			return err
		}
		dlrm.UpdateRow(row, r.Grad, -s.model.LearningRate)
		if err := s.write(r.Table, slot, row); err != nil {
			return err
		}
	}
	return nil
}

// pool pools, on each GPU, the rows of the GPU's tables for all inputs, and exchanges the vectors.
func (s *System) pool(f *flight) error {
	bags, dim, lookups := s.model.Bags(), s.model.Dim, s.model.Lookups()
	size := len(bags) * dim
	if len(s.vectors) < f.batch.Len()*size {
		s.vectors = make([]float32, f.batch.Len()*size)
	}
	return s.Cluster.Each(func(g int, _ *cluster.GPU) error {
		for i := range f.batch.Len() {
			sparse := f.batch.Sparse[i*lookups:][:lookups]
			for b, bag := range bags {
				if s.owner(bag.Table) == g {
					if err := s.poolBag(f, bag.Table, sparse[:bag.Lookups], s.vectors[i*size+b*dim:][:dim]); err != nil {
						return err
					}
				}
				sparse = sparse[bag.Lookups:]
			}
		}
		return nil
	})
}

// poolBag sums rows in the order of the input's lookups.
func (s *System) poolBag(f *flight, table int, indices []uint32, vector []float32) error {
	rows := make([][]float32, len(indices))
	for i, index := range indices {
		rows[i] = make([]float32, s.model.Dim)
		if err := s.read(table, f.plan[table].slots[index], rows[i]); err != nil {
			return err
		}
	}
	dlrm.Pool(vector, rows...)
	return nil
}
