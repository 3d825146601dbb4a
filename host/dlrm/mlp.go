package dlrm

import (
	"github.com/hotline-rtl/hotline/host/dlrm/exact"
	"github.com/hotline-rtl/hotline/host/dlrm/kernel"
)

// layer is y = W*x + b.
type layer struct {
	in, out int
	w       []float32 // out x in, row-major
	b       []float32 // out, or nil without bias
}

func newLayers(widths []int) []layer {
	layers := make([]layer, len(widths)-1)
	for i := range layers {
		in, out := widths[i], widths[i+1]
		layers[i] = layer{in: in, out: out, w: make([]float32, in*out), b: make([]float32, out)}
	}
	return layers
}

// layerSums contains the sums of a layer's gradients.
type layerSums struct{ w, b *exact.Sum }

func newSums(layers []layer) []layerSums {
	sums := make([]layerSums, len(layers))
	for i, l := range layers {
		sums[i].w = exact.NewSum(len(l.w))
		if l.b != nil {
			sums[i].b = exact.NewSum(len(l.b))
		}
	}
	return sums
}

// tape contains the values of an MLP for some inputs: x[l] is the input of layer l, x[l+1] is its
// output, and dx contains their gradients.
type tape struct{ x, dx []kernel.Tensor }

func newTape(layers []layer, panels int) tape {
	var t tape
	add := func(width int) {
		t.x, t.dx = append(t.x, kernel.NewTensor(width, panels)), append(t.dx, kernel.NewTensor(width, panels))
	}
	add(layers[0].in)
	for _, l := range layers {
		add(l.out)
	}
	return t
}

// first returns a view of the tape for fewer inputs.
func (t tape) first(panels int) tape {
	view := func(all []kernel.Tensor) []kernel.Tensor {
		some := make([]kernel.Tensor, len(all))
		for i, v := range all {
			some[i] = v.First(panels)
		}
		return some
	}
	return tape{view(t.x), view(t.dx)}
}

// out returns the output of the last layer.
func (t tape) out() kernel.Tensor { return t.x[len(t.x)-1] }

// dOut returns the gradient of the output of the last layer.
func (t tape) dOut() kernel.Tensor { return t.dx[len(t.dx)-1] }

// forward runs an MLP with a rectifier between layers, but not after the last layer.
func forward(layers []layer, t tape) {
	for i, l := range layers {
		if i > 0 {
			kernel.Rectify(t.x[i])
		}
		kernel.Linear(t.x[i+1], l.w, l.b, t.x[i])
	}
}

// backward adds the weight gradients of n inputs to g, given the gradient of the MLP's output.
func backward(layers []layer, t tape, g []layerSums, n int) {
	for i := len(layers) - 1; i >= 0; i-- {
		g[i].w.AddProducts(t.dx[i+1], t.x[i], n)
		g[i].b.AddInputs(t.dx[i+1], n)
		if i > 0 {
			kernel.InputGradient(t.dx[i], layers[i].w, t.dx[i+1])
			kernel.RectifyBack(t.dx[i], t.x[i])
		}
	}
}

// backInput computes the gradient of the MLP's input, given the gradient of the first layer's
// output. It must be called after backward.
func backInput(layers []layer, t tape) { kernel.InputGradient(t.dx[0], layers[0].w, t.dx[1]) }
