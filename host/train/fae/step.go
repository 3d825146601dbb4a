package fae

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// step trains on a mini-batch of a kind.
func (f *System) step(m int, batch dlrm.Batch, hot bool) (train.Step, error) {
	f.Cluster.Watch.Begin(m, batch)
	defer f.Cluster.Watch.End(m)
	pool, err := f.pool(batch, hot)
	if err != nil {
		return train.Step{}, err
	}
	f.probs = f.Cluster.Probabilities(batch.Len())
	if err := f.Cluster.Train(m, batch, batch.All(), f.probs, pool); err != nil {
		return train.Step{}, err
	}
	sum, err := f.Cluster.AllReduce()
	if err != nil {
		return train.Step{}, err
	}
	defer f.Cluster.Reset()
	work, err := f.update(batch.Len(), sum, hot)
	popular, hits := work.Popular, work.Popular*f.model.Lookups()
	return train.Step{MiniBatch: m, Loss: sum.Loss, Labels: batch.Labels, Popular: &popular, Hits: &hits, Probabilities: f.probs, Work: work}, err
}

// pool returns the source of the pooled vectors of a mini-batch: the GPUs' own hot tables, or the
// CPU.
func (f *System) pool(batch dlrm.Batch, hot bool) (cluster.Pool, error) {
	if hot {
		return func(g, _, i int, pooled []float32) error { return f.poolHot(g, batch.At(i), pooled) }, nil
	}
	if f.Cluster.Valueless() {
		return nil, nil
	}
	var err error
	f.pooled, err = f.Tables.Pool(batch, f.pooled)
	return f.PooledByCPU(f.pooled), err
}

// poolHot pools the rows of a hot input from the hot table of GPU g. It returns an error if a row
// is not hot.
func (f *System) poolHot(g int, in dlrm.Sample, pooled []float32) error {
	var failed error
	row := make([]float32, f.model.Dim)
	f.model.PoolSample(pooled, in.Sparse, func(table int, index uint32) []float32 {
		if slot, hot := f.hot.rows.Slot(table, index); !hot {
			failed = fmt.Errorf("fae: an input is said to be hot, but row %d of table %d (%q) is not", index, table, f.model.Tables[table].Name)
		} else if err := f.hot.readFrom(g, slot, row); err != nil {
			failed = err
		}
		return row
	})
	return failed
}

// update updates all parameters. It updates rows where their newest version is.
func (f *System) update(inputs int, sum cluster.Sum, hot bool) (timing.Work, error) {
	if err := f.Cluster.Apply(sum); err != nil {
		return timing.Work{}, err
	}
	f.hot.mark(sum.Rows)
	f.counts.inputs += int64(inputs)
	if hot {
		f.counts.popular += int64(inputs)
		return timing.Work{Inputs: inputs, Popular: inputs, HotRows: len(sum.Rows), Listed: sum.Listed, HotTable: f.hot.rows.Len()}, f.updateHot(sum.Rows)
	}
	f.counts.vectors += int64(inputs) * int64(len(f.model.Bags()))
	return timing.Work{Inputs: inputs, ColdRows: len(sum.Rows), Own: Work{Cold: true}}, f.Tables.Update(sum.Rows)
}

// updateHot updates rows in the hot tables of all GPUs.
func (f *System) updateHot(steps []dlrm.RowGrad) error {
	return f.Cluster.Each(func(g int, _ *cluster.GPU) error {
		row := make([]float32, f.model.Dim)
		for _, r := range steps {
			slot, _ := f.hot.rows.Slot(r.Table, r.Index)
			if err := f.hot.readFrom(g, slot, row); err != nil {
				return err
			}
			dlrm.UpdateRow(row, r.Grad, -f.model.LearningRate)
			if err := f.hot.write(g, slot, row); err != nil {
				return err
			}
		}
		return nil
	})
}
