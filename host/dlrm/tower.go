package dlrm

import "github.com/hotline-rtl/hotline/host/dlrm/kernel"

// tower computes a DLRM up to the output of its top MLP, for some inputs, or for some time steps of
// inputs of a TBSM.
type tower struct {
	bottom, top tape
	vectors     kernel.Tensor // output of the bottom MLP and pooled vectors: Features x Dim
	dVectors    kernel.Tensor
	dim         int
}

func newTower(n *Net, panels int) tower {
	t := tower{
		bottom: newTape(n.layers[bottom], panels), top: newTape(n.layers[top], panels), dim: n.cfg.Dim,
		vectors:  kernel.NewTensor(n.cfg.Features()*n.cfg.Dim, panels),
		dVectors: kernel.NewTensor(n.cfg.Features()*n.cfg.Dim, panels),
	}
	last := len(n.layers[bottom])
	t.bottom.x[last], t.bottom.dx[last] = t.vectors.Features(0, t.dim), t.dVectors.Features(0, t.dim)
	return t
}

// first returns a view for fewer inputs.
func (t tower) first(panels int) tower {
	t.bottom, t.top = t.bottom.first(panels), t.top.first(panels)
	t.vectors, t.dVectors = t.vectors.First(panels), t.dVectors.First(panels)
	return t
}

// forward runs n inputs, given their dense features and pooled vectors.
func (t tower) forward(net *Net, dense, pooled []float32, n int) {
	t.bottom.x[0].Load(dense, n)
	forward(net.layers[bottom], t.bottom)
	kernel.Rectify(t.bottom.out())
	t.vectors.Features(t.dim, t.vectors.Width).Load(pooled, n)

	in := t.top.x[0]
	in.Features(0, t.dim).Copy(t.bottom.out())
	kernel.Interact(in.Features(t.dim, in.Width), t.vectors, t.dim)
	forward(net.layers[top], t.top)
}

// backward adds the weight gradients to g, given the gradient of the top MLP's output, and writes
// the gradients of the pooled vectors.
func (t tower) backward(net *Net, g *Gradients, dPooled []float32, n int) {
	backward(net.layers[top], t.top, g.layers[top], n)
	backInput(net.layers[top], t.top)

	dIn, dBottom := t.top.dx[0], t.bottom.dOut()
	t.dVectors.Clear()
	dBottom.Copy(dIn.Features(0, t.dim))
	kernel.InteractBack(t.dVectors, dIn.Features(t.dim, dIn.Width), t.vectors, t.dim)
	t.dVectors.Features(t.dim, t.dVectors.Width).Store(dPooled, n)
	kernel.RectifyBack(dBottom, t.bottom.out())
	backward(net.layers[bottom], t.bottom, g.layers[bottom], n)
}
