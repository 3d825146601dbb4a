package rec

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/rec/kernel"
)

// Worker runs parts of mini-batches through a network. It holds the scratch memory of one device.
type Worker struct {
	net   *Net
	tower tower
}

// chunk is the number of inputs that run at a time: enough to read the weights seldom, few enough for what is computed of them to
// stay in the cache.
const chunk = 256

// Worker returns a new worker for the network. It sees later updates of the network.
func (n *Net) Worker() *Worker { return &Worker{net: n, tower: newTower(n, kernel.Panels(chunk))} }

// Predict writes the probabilities of a click for the inputs of a part of a mini-batch. pooled holds their pooled vectors
// (inputs x bags x Dim).
func (w *Worker) Predict(part Batch, pooled, probabilities []float32) {
	w.mustMatch(part, len(pooled), len(probabilities))
	w.eachChunk(part, pooled, func(t tower, part Batch, from, _ int) {
		w.predict(t, part, probabilities[from:][:part.Len()])
	})
}

// Train runs the inputs of a part of a mini-batch of n inputs forward and backward. It adds their share of the loss and of the
// weight gradients to g, and writes the probabilities from before and the gradients of the pooled vectors (dPooled, shaped as
// pooled). Gradients and loss carry the factor 1/n.
func (w *Worker) Train(part Batch, pooled []float32, n int, g *Gradients, probabilities, dPooled []float32) {
	w.mustMatch(part, len(pooled), len(probabilities))
	w.mustMatch(part, len(dPooled), len(probabilities))
	w.eachChunk(part, pooled, func(t tower, part Batch, from, size int) {
		p := probabilities[from:][:part.Len()]
		w.predict(t, part, p)
		out := t.top.dOut()
		for i, label := range part.Labels {
			g.addLoss(crossEntropy(p[i], label) / float64(n))
			// The derivative of cross-entropy behind a sigmoid is p-y.
			out.Set(i, 0, float32(p[i]-label)/float32(n))
		}
		t.backward(w.net, g, dPooled[from*size:][:part.Len()*size], part.Len())
	})
}

// eachChunk runs the tower forward for as many inputs at a time as it has room for. size is the number of pooled values of an input.
func (w *Worker) eachChunk(part Batch, pooled []float32, visit func(t tower, part Batch, from, size int)) {
	size := w.tower.vectors.Width - w.tower.dim
	for from := 0; from < part.Len(); from += chunk {
		some := part.Slice(from, min(from+chunk, part.Len()))
		n := some.Len()
		t := w.tower.first(kernel.Panels(n))
		t.forward(w.net, some.Dense, pooled[from*size:][:n*size], n)
		visit(t, some, from, size)
	}
}

func (w *Worker) predict(t tower, part Batch, probabilities []float32) {
	out := t.top.out()
	for i := range probabilities {
		probabilities[i] = sigmoid(out.At(i, 0))
	}
}

func (w *Worker) mustMatch(part Batch, pooled, probabilities int) {
	cfg, n := &w.net.cfg, part.Len()
	size := len(cfg.Tables) * cfg.steps() * cfg.Dim
	if len(part.Dense) != n*cfg.DenseWidth() || pooled != n*size || probabilities != n {
		panic(fmt.Sprintf("rec: %d dense and %d pooled values, %d probabilities for %d inputs; the model has %d and %d of an input",
			len(part.Dense), pooled, probabilities, n, cfg.DenseWidth(), size))
	}
}
