package xdl

import (
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Train implements train.System. It fails before training if the memories are too small.
func (x *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	if err := x.reserve(b.Size()); err != nil {
		return err
	}
	x.Cluster.Watch = w
	return b.Steps(x.step, done)
}

// step trains on one mini-batch.
func (x *System) step(m int, batch dlrm.Batch) (train.Step, error) {
	x.Cluster.Watch.Begin(m, batch)
	defer x.Cluster.Watch.End(m)
	if err := x.pull(batch); err != nil {
		return train.Step{}, err
	}
	x.probs = x.Cluster.Probabilities(batch.Len())
	err := x.Cluster.Train(m, batch, batch.All(), x.probs, func(_, _, i int, pooled []float32) error {
		copy(pooled, x.pooled[i*len(pooled):])
		return nil
	})
	if err != nil {
		return train.Step{}, err
	}
	work := timing.Work{Inputs: batch.Len()}
	loss, err := x.push(&work)
	return train.Step{MiniBatch: m, Loss: loss, Labels: batch.Labels, Probabilities: x.probs, Work: work}, err
}

// pull copies the server's dense parameters and the rows of their inputs to all workers, which pool
// the rows. Both copies of a row are in host memory.
func (x *System) pull(batch dlrm.Batch) error {
	x.counts.dense += int64(len(x.Cluster.GPUs) * x.net.Len())
	if x.Cluster.Valueless() {
		return nil
	}
	x.Cluster.Pull(x.net)
	x.pooled = append(x.pooled[:0], make([]float32, batch.Len()*len(x.Model().Bags())*x.Model().Dim)...)
	used := 0
	for w := range x.Cluster.GPUs {
		inputs := x.Cluster.Deal(batch.All(), w)
		places, err := x.collect(batch, inputs, used)
		if err != nil {
			return err
		}
		used += len(places)
		if err := x.pool(batch, inputs, places); err != nil {
			return err
		}
	}
	return nil
}

// collect copies the distinct rows of a worker's inputs to its memory, which begins after the used
// places. It returns the places of the rows.
func (x *System) collect(batch dlrm.Batch, inputs []int, used int) (places map[cluster.Row]int, err error) {
	places = map[cluster.Row]int{}
	row := make([]float32, x.Model().Dim)
	for _, i := range inputs {
		cluster.EachLookup(x.Model().Bags(), batch.At(i), func(_ int, at cluster.Row) {
			if _, there := places[at]; there || err != nil {
				return
			}
			places[at] = used + len(places)
			if err = x.Tables.Read(at.Table, at.Index, row); err == nil {
				err = x.rows.Deliver(places[at]*valueBytes*len(row), row)
			}
		})
	}
	return places, err
}

// pool pools the rows of a worker's inputs.
func (x *System) pool(batch dlrm.Batch, inputs []int, places map[cluster.Row]int) (failed error) {
	model, row := x.Model(), make([]float32, x.Model().Dim)
	size := len(model.Bags()) * model.Dim
	for _, i := range inputs {
		model.PoolSample(x.pooled[i*size:][:size], batch.At(i).Sparse, func(table int, index uint32) []float32 {
			at := places[cluster.Row{Table: table, Index: index}]
			if err := x.rows.ReadFloat32s(at*valueBytes*len(row), row); err != nil && failed == nil {
				failed = err
			}
			return row
		})
	}
	return failed
}

// push adds the workers' gradients and updates all parameters on the server.
func (x *System) push(work *timing.Work) (loss float32, err error) {
	sum, err := x.Cluster.Push()
	if err != nil {
		return 0, err
	}
	defer x.Cluster.Reset()
	if !x.Cluster.Valueless() {
		if err := x.net.Apply(sum.MiniBatch, sum.Dense); err != nil {
			return 0, err
		}
	}
	work.Listed, work.ColdRows = sum.Listed, len(sum.Rows)
	x.counts.rows += int64(sum.Listed)
	x.counts.updated += int64(len(sum.Rows))
	return sum.Loss, x.Tables.Update(sum.Rows)
}
