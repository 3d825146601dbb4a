package rec

import "fmt"

// Worker runs parts of mini-batches through a network. It holds the scratch memory of one device.
type Worker struct {
	net         *Net
	bottom, top tape
	vectors     []float32 // Features x Dim: output of the bottom MLP, pooled vectors
	dVectors    []float32 // their gradients
}

// tape holds what one MLP computed for one input: x[l] goes into layer l, x[l+1] comes out of it; dx are the gradients.
type tape struct{ x, dx [][]float32 }

// Worker returns a new worker for the network. It sees later updates of the network.
func (n *Net) Worker() *Worker {
	size := n.cfg.Features() * n.cfg.Dim
	w := &Worker{
		net:      n,
		bottom:   newTape(n.bottom),
		top:      newTape(n.top),
		vectors:  make([]float32, size),
		dVectors: make([]float32, size),
	}
	last := len(n.bottom)
	w.bottom.x[last], w.bottom.dx[last] = w.vectors[:n.cfg.Dim], w.dVectors[:n.cfg.Dim]
	return w
}

func newTape(layers []layer) tape {
	var t tape
	add := func(width int) {
		t.x, t.dx = append(t.x, make([]float32, width)), append(t.dx, make([]float32, width))
	}
	add(layers[0].in)
	for _, l := range layers {
		add(l.out)
	}
	return t
}

// Predict writes the probabilities of a click for the inputs of a part of a mini-batch. pooled holds their pooled vectors
// (inputs x bags x Dim).
func (w *Worker) Predict(part Batch, pooled, probabilities []float32) {
	w.mustMatch(part, len(pooled), len(probabilities))
	size := len(w.vectors) - w.net.cfg.Dim
	for i := range probabilities {
		probabilities[i] = w.predict(part.At(i), pooled[i*size:][:size])
	}
}

// Train runs the inputs of a part of a mini-batch of n inputs forward and backward. It adds their share of the loss and of the
// weight gradients to g, and writes the probabilities from before and the gradients of the pooled vectors (dPooled, shaped as
// pooled). Gradients and loss carry the factor 1/n.
func (w *Worker) Train(part Batch, pooled []float32, n int, g *Gradients, probabilities, dPooled []float32) {
	w.mustMatch(part, len(pooled), len(probabilities))
	w.mustMatch(part, len(dPooled), len(probabilities))
	size := len(w.vectors) - w.net.cfg.Dim
	for i := range probabilities {
		probabilities[i] = w.train(part.At(i), pooled[i*size:][:size], n, g, dPooled[i*size:][:size])
	}
}

func (w *Worker) mustMatch(part Batch, pooled, probabilities int) {
	cfg, n := &w.net.cfg, part.Len()
	if len(part.Dense) != n*cfg.DenseWidth() || pooled != n*(len(w.vectors)-cfg.Dim) || probabilities != n {
		panic(fmt.Sprintf("rec: %d dense and %d pooled values, %d probabilities for %d inputs; the model has %d and %d of an input",
			len(part.Dense), pooled, probabilities, n, cfg.DenseWidth(), len(w.vectors)-cfg.Dim))
	}
}

func (w *Worker) predict(in Sample, pooled []float32) float32 {
	cfg := &w.net.cfg
	copy(w.bottom.x[0], in.Dense)
	forward(w.net.bottom, w.bottom)
	rectify(w.vectors[:cfg.Dim])
	copy(w.vectors[cfg.Dim:], pooled)
	interact(w.top.x[0], w.vectors, cfg.Dim)
	forward(w.net.top, w.top)
	return sigmoid(w.top.x[len(w.net.top)][0])
}

func (w *Worker) train(in Sample, pooled []float32, n int, g *Gradients, dPooled []float32) float32 {
	p := w.predict(in, pooled)
	g.addLoss(crossEntropy(p, in.Label) / float64(n))
	// The derivative of cross-entropy behind a sigmoid is p-y.
	w.top.dx[len(w.net.top)][0] = float32(p-in.Label) / float32(n)
	backward(w.net.top, w.top, g.top)
	backInput(w.net.top, w.top)
	dim := w.net.cfg.Dim
	interactBack(w.dVectors, w.top.dx[0], w.vectors, dim)
	copy(dPooled, w.dVectors[dim:])
	rectifyBack(w.dVectors[:dim], w.vectors[:dim])
	backward(w.net.bottom, w.bottom, g.bottom)
	return p
}

// forward runs an MLP with a rectifier between layers, and none after the last.
func forward(layers []layer, t tape) {
	for i, l := range layers {
		if i > 0 {
			rectify(t.x[i])
		}
		copy(t.x[i+1], l.b)
		matVecAdd(t.x[i+1], l.w, t.x[i])
	}
}

// backward adds the weight gradients of an MLP to g, given the gradient of its output in the tape.
func backward(layers []layer, t tape, g []layerSums) {
	for i := len(layers) - 1; i >= 0; i-- {
		g[i].w.AddOuter(t.dx[i+1], t.x[i])
		g[i].b.Add(t.dx[i+1])
		if i > 0 {
			backLayer(layers, t, i)
			rectifyBack(t.dx[i], t.x[i])
		}
	}
}

// backInput computes the gradient of an MLP's input, after backward.
func backInput(layers []layer, t tape) { backLayer(layers, t, 0) }

func backLayer(layers []layer, t tape, i int) {
	clear(t.dx[i])
	matTVecAdd(t.dx[i], layers[i].w, t.dx[i+1])
}

// interact writes the top MLP's input: vector 0, then the dot products of vectors i and j for i = 1, 2, ... and j < i.
func interact(z, vectors []float32, dim int) {
	copy(z, vectors[:dim])
	dots := z[dim:]
	clear(dots)
	for i := 1; i*dim < len(vectors); i++ {
		matVecAdd(dots[:i], vectors[:i*dim], vectors[i*dim:(i+1)*dim])
		dots = dots[i:]
	}
}

// interactBack writes the gradients of the vectors, given the gradient dz of the top MLP's input. The terms of vector k are
// added in the order of the vectors that it was multiplied with.
func interactBack(dVectors, dz, vectors []float32, dim int) {
	copy(dVectors, dz[:dim])
	clear(dVectors[dim:])
	dots := dz[dim:]
	for i := 1; i*dim < len(vectors); i++ {
		vector, dVector := vectors[i*dim:(i+1)*dim], dVectors[i*dim:(i+1)*dim]
		matTVecAdd(dVector, vectors[:i*dim], dots[:i])
		for j, d := range dots[:i] {
			if d != 0 {
				axpy(dVectors[j*dim:(j+1)*dim], d, vector)
			}
		}
		dots = dots[i:]
	}
}
