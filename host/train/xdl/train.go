package xdl

import (
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
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

// pull copies the server's dense parameters to all workers, and pools the rows of their inputs. Rows
// stay in host memory, where the workers read them.
func (x *System) pull(batch dlrm.Batch) (err error) {
	x.counts.dense += int64(len(x.Cluster.GPUs) * x.net.Len())
	if x.Cluster.Valueless() {
		return nil
	}
	x.Cluster.Pull(x.net)
	x.pooled, err = x.Tables.Pool(batch, x.pooled)
	return err
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
