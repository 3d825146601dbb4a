package cluster

import (
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// Step trains on all inputs of mini-batch m, from the pooled vectors to the update of the dense
// parameters: Train, AllReduce and Apply. The caller still has to apply the steps of rows in the
// sum, which is valid until the next call, and to fill in the work of the mini-batch. It returns an
// error if pool fails, or if a gradient is not valid.
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

// Run trains on all mini-batches by calling step, watched by w. It returns an error if the memories
// are too small, or if the replicas of the dense parameters differ at the end.
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
