package dlrm

import "math"

// Optimiser is the rule by which gradients change parameters.
type Optimiser int

const (
	// SGD is plain stochastic gradient descent: the step is the gradient.
	SGD Optimiser = iota
	// Adagrad divides each gradient by the root of the sum of the squares so far (Duchi, Hazan,
	// Singer, JMLR 2011), like PyTorch with default options.
	Adagrad
)

// adagradEps prevents a division by zero in Adagrad.
const adagradEps = 1e-10

// StateLen returns the number of state values for n parameters. They start at zero. The owner of
// the parameters must keep them.
func (o Optimiser) StateLen(n int) int {
	if o == Adagrad {
		return n
	}
	return 0
}

// Step converts gradients to steps, in place, and updates their state. It must be called for every
// gradient, except for rows that no input of the mini-batch reads. A parameter then changes by
// minus the learning rate times its step (UpdateRow).
func (o Optimiser) Step(state, grad []float32) {
	if o != Adagrad {
		return
	}
	for i, g := range grad {
		state[i] += float32(g * g)
		grad[i] = g / (float32(math.Sqrt(float64(state[i]))) + adagradEps)
	}
}
