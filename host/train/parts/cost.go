package parts

import (
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/rec"
)

// Cost says how long the parts of a DLRM step take on one GPU. The constants of
// products, launches and memory are those of node.Machine, with their sources;
// what is counted here are the kernels of a step of the DLRM reference
// (facebookresearch/dlrm on PyTorch), which launches each of them by itself.
// Nothing takes no time for no inputs.
type Cost struct {
	machine *node.Machine
	model   rec.Config
}

// NewCost is the cost of a model's steps on a machine.
func NewCost(m *node.Machine, model rec.Config) Cost { return Cost{m, model} }

// Kernels beside the matrix products.
const (
	layerKernels       = 3 // activation, its gradient, gradient of the bias
	interactionKernels = 8 // concatenate, multiply, pick the triangle, concatenate; and back
	lossKernels        = 2 // loss, its gradient
	optimiserKernels   = 2 // per layer: weight, bias
	valueBytes         = 4
)

// RowBytes is the size of an embedding row.
func (c Cost) RowBytes() int { return valueBytes * c.model.Dim }

// MLP is the time of both MLPs and the interaction for n inputs, forward and
// backward.
func (c Cost) MLP(n int) node.Time {
	if n == 0 {
		return 0
	}
	first := append([]int{c.model.TopIn()}, c.model.Top...)
	return c.layers(n, c.model.Bottom, false) + c.layers(n, first, true) + c.interaction(n) +
		c.machine.LaunchTime(lossKernels)
}

// layers: a product forward, one for the gradient of the weights, and one for
// that of the layer's input, which the first layer needs only if it has one.
func (c Cost) layers(n int, widths []int, inputGradient bool) node.Time {
	var t node.Time
	for i, in := range widths[:len(widths)-1] {
		out := widths[i+1]
		t += c.machine.GEMMTime(n, out, in) + c.machine.GEMMTime(out, in, n)
		if i > 0 || inputGradient {
			t += c.machine.GEMMTime(n, in, out)
		}
		values := float64(n) * float64(out)
		t += c.machine.LaunchTime(layerKernels) + c.machine.ElementwiseTime(3*values, 6*valueBytes*values)
	}
	return t
}

// interaction: the products of all pairs of vectors, as a batch of small
// products limited by memory; backward does twice the work.
func (c Cost) interaction(n int) node.Time {
	f, d := float64(c.model.Features()), float64(c.model.Dim)
	flops := float64(n) * f * f * d
	bytes := float64(n) * valueBytes * (f*d + float64(c.model.TopIn()))
	return c.machine.LaunchTime(interactionKernels) + 3*c.machine.ElementwiseTime(flops, bytes)
}

// EmbeddingForward is the time in which a GPU pools the rows of n inputs from
// its own memory: a kernel per table.
func (c Cost) EmbeddingForward(n int) node.Time {
	if n == 0 {
		return 0
	}
	return c.machine.LaunchTime(len(c.model.Tables)) + c.machine.EmbeddingForwardTime(c.bags(n), c.rows(n), c.RowBytes())
}

// EmbeddingBackward is the time in which a GPU sums up the gradients of the rows
// of n inputs: a kernel per table.
func (c Cost) EmbeddingBackward(n int) node.Time {
	if n == 0 {
		return 0
	}
	return c.machine.LaunchTime(len(c.model.Tables)) + c.machine.EmbeddingBackwardTime(c.bags(n), c.rows(n), c.RowBytes())
}

func (c Cost) bags(n int) int { return n * len(c.model.Tables) }
func (c Cost) rows(n int) int { return n * c.model.Lookups() }

// Optimiser is the time of the dense parameters' update: read parameter and
// gradient, write the parameter.
func (c Cost) Optimiser() node.Time {
	layers := len(c.model.Bottom) - 1 + len(c.model.Top)
	return c.machine.LaunchTime(optimiserKernels*layers) + c.streamed(c.DenseBytes()/valueBytes)
}

// RowUpdate is the time of the same for rows in a GPU's own memory: one kernel.
func (c Cost) RowUpdate(rows int) node.Time {
	if rows == 0 {
		return 0
	}
	return c.machine.LaunchTime(1) + c.streamed(rows*c.model.Dim)
}

func (c Cost) streamed(values int) node.Time {
	return c.machine.ElementwiseTime(2*float64(values), 3*valueBytes*float64(values))
}

// RowMove is the time in which a GPU moves rows between a buffer and places all
// over its memory: one kernel.
func (c Cost) RowMove(rows int) node.Time {
	if rows == 0 {
		return 0
	}
	return c.machine.LaunchTime(1) + 2*c.machine.GatherTime(rows, c.RowBytes())
}

// Fill is the time in which a GPU overwrites bytes of its memory: one kernel.
func (c Cost) Fill(bytes int) node.Time {
	if bytes == 0 {
		return 0
	}
	return c.machine.LaunchTime(1) + c.machine.ElementwiseTime(0, float64(bytes))
}

// Check is the time in which a GPU looks for a value in bytes of its memory: one
// kernel.
func (c Cost) Check(bytes int) node.Time {
	if bytes == 0 {
		return 0
	}
	return c.machine.LaunchTime(1) + c.machine.ElementwiseTime(float64(bytes/valueBytes), float64(bytes))
}

// DenseBytes is the size of the dense parameters, as of their gradients.
func (c Cost) DenseBytes() int {
	n := 0
	count := func(widths []int) {
		for i, in := range widths[:len(widths)-1] {
			n += (in + 1) * widths[i+1]
		}
	}
	count(c.model.Bottom)
	count(append([]int{c.model.TopIn()}, c.model.Top...))
	return n * valueBytes
}
