package parts

import (
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/train"
)

// Step trains on all inputs of mini-batch m, from the pooled vectors on, up to the update
// of the dense parameters: Train, AllReduce and Apply. What is left to do are the steps of
// rows in the sum, which is valid until the next call, and the work of the mini-batch.
// Errors: those of pool; a gradient is not valid.
func (c *Cluster) Step(m int, batch rec.Batch, pool Pool) (train.Step, Sum, error) {
	c.Reset()
	step := train.Step{MiniBatch: m, Labels: batch.Labels, Probabilities: c.Probabilities(batch.Len())}
	all := make([]int, batch.Len())
	for i := range all {
		all[i] = i
	}
	if err := c.Train(m, batch, all, step.Probabilities, pool); err != nil {
		return step, Sum{}, err
	}
	sum, err := c.AllReduce()
	if err != nil {
		return step, sum, err
	}
	step.Loss = sum.Loss
	return step, sum, c.Apply(sum)
}
