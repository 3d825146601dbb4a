package dlrm

import (
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm/kernel"
)

// sequence computes the part of a TBSM after its towers, for some inputs. There is one tower output
// for each time step. The outputs are scaled to length one; h[j] is the history and w the
// candidate:
//
//	x = transpose(A)*A*w
//	y = attention(h[0].x, h[1].x, ...)
//	c = y[0]*h[0] + y[1]*h[1] + ...
//	p = head(c, w)
//
// In the towers' tensors, a lane is a time step of an input. In the other tensors, a lane is an
// input.
type sequence struct {
	steps, width int // number of time steps, and of values of a tower's output

	lengths, slopes kernel.Tensor // of the towers' outputs; gradients along the outputs
	unit, dUnit     kernel.Tensor // outputs scaled to length one
	rows            []float32     // the same or their gradients, while converted between the two kinds of tensors

	h, dh                kernel.Tensor // steps x width
	ax, x, dax, dx, back kernel.Tensor // width; back is transpose(A)*dax
	attention, head      tape
}

func newSequence(n *Net, inputs int) *sequence {
	steps, width := n.cfg.Steps, n.cfg.towerOut()
	panels, towers := kernel.Panels(inputs), kernel.Panels(inputs*steps)
	s := &sequence{
		steps: steps, width: width, rows: make([]float32, inputs*steps*width),
		attention: newTape(n.layers[attention], panels), head: newTape(n.layers[head], panels),
	}
	for _, t := range []struct {
		of            *kernel.Tensor
		width, panels int
	}{
		{&s.lengths, 1, towers}, {&s.slopes, 1, towers}, {&s.unit, width, towers}, {&s.dUnit, width, towers},
		{&s.h, steps * width, panels}, {&s.dh, steps * width, panels},
		{&s.ax, width, panels}, {&s.x, width, panels}, {&s.dax, width, panels}, {&s.dx, width, panels}, {&s.back, width, panels},
	} {
		*t.of = kernel.NewTensor(t.width, t.panels)
	}
	return s
}

// first returns a view for n inputs.
func (s sequence) first(n int) *sequence {
	panels, towers := kernel.Panels(n), kernel.Panels(n*s.steps)
	for _, t := range []*kernel.Tensor{&s.lengths, &s.slopes, &s.unit, &s.dUnit} {
		*t = t.First(towers)
	}
	for _, t := range []*kernel.Tensor{&s.h, &s.dh, &s.ax, &s.x, &s.dax, &s.dx, &s.back} {
		*t = t.First(panels)
	}
	s.rows = s.rows[:n*s.steps*s.width]
	s.attention, s.head = s.attention.first(panels), s.head.first(panels)
	return &s
}

// step returns the part of h or dh that belongs to a time step.
func (s *sequence) step(of kernel.Tensor, j int) kernel.Tensor {
	return of.Features(j*s.width, (j+1)*s.width)
}

// history returns the part of all time steps but the last.
func (s *sequence) history() kernel.Tensor { return s.h.Features(0, (s.steps-1)*s.width) }

// forward continues from the outputs of the towers of n inputs, which it rectifies.
func (s *sequence) forward(net *Net, out kernel.Tensor, n int) {
	kernel.Rectify(out)
	kernel.Dots(s.lengths, out, out)
	lengths(s.lengths)
	divide(s.unit, out, s.lengths)
	s.unit.Store(s.rows, n*s.steps)
	s.h.Load(s.rows, n)

	a, w := net.layers[inner][0], s.step(s.h, s.steps-1)
	kernel.Linear(s.ax, a.w, nil, w)
	kernel.InputGradient(s.x, a.w, s.ax)
	kernel.Dots(s.attention.x[0], s.x, s.history())
	forward(net.layers[attention], s.attention)
	y := s.attention.out()
	eachValue(y, y, func(_, z float32) float32 { return sigmoid(z) })

	c := s.head.x[0].Features(0, s.width)
	c.Clear()
	for j := range s.steps - 1 {
		kernel.MulAdd(c, y.Features(j, j+1), s.step(s.h, j))
	}
	s.head.x[0].Features(s.width, 2*s.width).Copy(w)
	forward(net.layers[head], s.head)
}

// backward adds the weight gradients of n inputs to g, given the gradient of the head's output. It
// writes the gradients of the towers' outputs to dOut. out contains the towers' outputs after
// forward.
func (s *sequence) backward(net *Net, g *Gradients, out, dOut kernel.Tensor, n int) {
	backward(net.layers[head], s.head, g.layers[head], n)
	backInput(net.layers[head], s.head)
	dc, y, dy := s.head.dx[0].Features(0, s.width), s.attention.out(), s.attention.dOut()

	s.dh.Clear()
	kernel.Dots(dy, dc, s.history())
	for j := range s.steps - 1 {
		kernel.MulAdd(s.step(s.dh, j), y.Features(j, j+1), dc)
	}
	eachValue(dy, y, sigmoidBack)
	backward(net.layers[attention], s.attention, g.layers[attention], n)
	backInput(net.layers[attention], s.attention)
	s.backProduct(net, g, n)

	s.dh.Store(s.rows, n)
	s.dUnit.Load(s.rows, n*s.steps)
	kernel.Dots(s.slopes, s.unit, s.dUnit)
	s.backLength(dOut)
	kernel.RectifyBack(dOut, out)
}

// backProduct propagates gradients back through the products with x, and through the computation of
// x.
func (s *sequence) backProduct(net *Net, g *Gradients, n int) {
	last := s.steps - 1
	a, sums, da := net.layers[inner][0], g.layers[inner][0].w, s.attention.dx[0]
	s.dx.Clear()
	for j := range last {
		kernel.MulAdd(s.dx, da.Features(j, j+1), s.step(s.h, j))
		kernel.MulAdd(s.step(s.dh, j), da.Features(j, j+1), s.x)
	}
	w, dw := s.step(s.h, last), s.step(s.dh, last)
	kernel.Linear(s.dax, a.w, nil, s.dx)
	sums.AddProducts(s.ax, s.dx, n)
	sums.AddProducts(s.dax, w, n)
	kernel.InputGradient(s.back, a.w, s.dax)
	dw.Copy(s.head.dx[0].Features(s.width, 2*s.width))
	eachValue(dw, s.back, func(a, b float32) float32 { return a + b })
}

// leastLength is the minimum divisor when a vector is scaled to length one, as in PyTorch's
// normalize.
const leastLength = 1e-12

// lengths replaces squares by their roots.
func lengths(t kernel.Tensor) {
	eachValue(t, t, func(_, square float32) float32 { return max(float32(math.Sqrt(float64(square))), leastLength) })
}

// divide computes dst = x/by, where by has one value for each lane.
func divide(dst, x, by kernel.Tensor) {
	for p := range dst.Panels {
		to, from, lanes := dst.Panel(p), x.Panel(p), by.Panel(p)
		for i, v := range from {
			to[i] = v / lanes[i%kernel.Lanes]
		}
	}
}

// backLength computes the gradient of the towers' outputs: the gradient of the scaled vectors
// without its component along them, divided by the length. For a vector below the minimum length,
// the divisor is a constant.
func (s *sequence) backLength(dOut kernel.Tensor) {
	for p := range dOut.Panels {
		to, d, unit, slope, length := dOut.Panel(p), s.dUnit.Panel(p), s.unit.Panel(p), s.slopes.Panel(p), s.lengths.Panel(p)
		for i, v := range d {
			l := i % kernel.Lanes
			if length[l] > leastLength {
				v -= float32(unit[i] * slope[l])
			}
			to[i] = v / length[l]
		}
	}
}

// eachValue replaces every value of a tensor by a function of it and of the corresponding value of
// another tensor.
func eachValue(t, other kernel.Tensor, f func(v, other float32) float32) {
	for p := range t.Panels {
		to, from := t.Panel(p), other.Panel(p)
		for i, v := range from {
			to[i] = f(to[i], v)
		}
	}
}
