package xdl

import (
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/parts"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Train implements train.System. It begins if all fits into the memories.
func (x *System) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	x.pulled = parts.NewBuffers(x.cluster, x.tables, b.Size())
	if err := x.cluster.Reserve(b.Size()); err != nil {
		return err
	}
	x.cluster.Watch = w
	return b.Steps(x.step, done)
}

// step trains on one mini-batch.
func (x *System) step(m int, batch rec.Batch) (train.Step, error) {
	x.cluster.Watch.Begin(m, batch)
	defer x.cluster.Watch.End(m)
	all := make([]int, batch.Len())
	for i := range all {
		all[i] = i
	}
	x.pull()
	pulled, err := x.pulled.Fetch(batch, all, func(parts.Row) bool { return true })
	if err != nil {
		return train.Step{}, err
	}
	x.probs = x.cluster.Probabilities(batch.Len())
	err = x.cluster.Train(m, batch, all, x.probs, func(g, _, i int, pooled []float32) error {
		return x.cluster.Pool(g, batch.At(i), pooled, x.pulled.ReadOn)
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
	x.counts.dense += int64(len(x.cluster.GPUs) * x.net.Len())
	if x.cluster.Valueless() {
		return
	}
	values := [][]float32{}
	for _, v := range x.net.Params() {
		values = append(values, v)
	}
	for _, gpu := range x.cluster.GPUs {
		i := 0
		for _, v := range gpu.Net.Params() {
			copy(v, values[i])
			i++
		}
	}
}

// push lets the server add the workers' gradients and update all parameters.
func (x *System) push(work *timing.Work) (loss float32, err error) {
	sum, err := x.cluster.AllReduce()
	if err != nil {
		return 0, err
	}
	defer x.cluster.Reset()
	if !x.cluster.Valueless() {
		if err := x.net.Apply(sum.Dense); err != nil {
			return 0, err
		}
	}
	work.ColdRows = len(sum.Rows)
	x.counts.updated += int64(len(sum.Rows))
	return sum.Loss, x.tables.Update(sum.Rows)
}
