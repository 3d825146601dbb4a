package xdl

import (
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Train implements train.System. It fails before training if the memories are too small.
func (x *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	x.pulled = cluster.NewBuffers(x.Cluster, x.Tables, b.Size())
	return x.Run(b, w, x.step, done)
}

// step trains on one mini-batch.
func (x *System) step(m int, batch dlrm.Batch) (train.Step, error) {
	x.Cluster.Watch.Begin(m, batch)
	defer x.Cluster.Watch.End(m)
	all := batch.All()
	x.pull()
	pulled, err := x.pulled.Fetch(batch, all, func(cluster.Row) bool { return true })
	if err != nil {
		return train.Step{}, err
	}
	x.probs = x.Cluster.Probabilities(batch.Len())
	err = x.Cluster.Train(m, batch, all, x.probs, func(g, _, i int, pooled []float32) error {
		return x.Cluster.Pool(g, batch.At(i), pooled, x.pulled.ReadOn)
	})
	if err != nil {
		return train.Step{}, err
	}
	work := timing.Work{Inputs: batch.Len(), Listed: pulled.Rows}
	loss, err := x.push(&work)
	x.counts.rows += int64(pulled.Rows)
	return train.Step{MiniBatch: m, Loss: loss, Labels: batch.Labels, Probabilities: x.probs, Work: work}, err
}

// pull copies the server's dense parameters to all workers.
func (x *System) pull() {
	x.counts.dense += int64(len(x.Cluster.GPUs) * x.net.Len())
	x.Cluster.Pull(x.net)
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
	work.ColdRows = len(sum.Rows)
	x.counts.updated += int64(len(sum.Rows))
	return sum.Loss, x.Tables.Update(sum.Rows)
}
