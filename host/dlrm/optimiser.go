package dlrm

import "math"

// Optimiser is how gradients change parameters.
type Optimiser int

const (
	// SGD is plain stochastic gradient descent: the step is the gradient.
	SGD Optimiser = iota
	// Adagrad divides each gradient by the root of the sum of the squares so far (Duchi, Hazan, Singer, JMLR 2011), as PyTorch does
	// with its default options.
	Adagrad
)

// adagradEps keeps Adagrad from dividing by zero.
const adagradEps = 1e-10

// StateLen returns how many values of state go with n parameters. They begin at zero, and whoever keeps the parameters keeps them.
func (o Optimiser) StateLen(n int) int {
	if o == Adagrad {
		return n
	}
	return 0
}

// Step turns gradients, of which none is left out but those of rows that no input of the mini-batch reads, into steps, in place,
// and brings their state up to date. A parameter then changes by minus the learning rate times its step (UpdateRow).
func (o Optimiser) Step(state, grad []float32) {
	if o != Adagrad {
		return
	}
	for i, g := range grad {
		state[i] += float32(g * g)
		grad[i] = g / (float32(math.Sqrt(float64(state[i]))) + adagradEps)
	}
}
