package cluster

import (
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// Step trains on all inputs of mini-batch m, from the pooled vectors on, up to the update
// of the dense parameters: Train, AllReduce and Apply. What is left to do are the steps of
// rows in the sum, which is valid until the next call, and the work of the mini-batch.
// Errors: those of pool; a gradient is not valid.
func (c *Cluster) Step(m int, batch dlrm.Batch, pool Pool) (train.Step, Sum, error) {
	c.Reset()
	step := train.Step{MiniBatch: m, Labels: batch.Labels, Probabilities: c.Probabilities(batch.Len())}
	if err := c.Train(m, batch, batch.All(), step.Probabilities, pool); err != nil {
		return step, Sum{}, err
	}
	sum, err := c.AllReduce()
	if err != nil {
		return step, sum, err
	}
	step.Loss = sum.Loss
	return step, sum, c.Apply(sum)
}

// Run trains on all mini-batches, by step, which w watches. Errors: they do not fit into
// the memories; the replicas of the dense parameters differ in the end.
func (c *Cluster) Run(b *train.Batches, w train.Watch, step func(m int, batch dlrm.Batch) (train.Step, error), done func(train.Step) error) error {
	if err := c.Reserve(b.Size()); err != nil {
		return err
	}
	c.Watch = w
	if err := b.Steps(step, done); err != nil {
		return err
	}
	return c.CheckReplicas()
}
