package dlrm

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm/kernel"
)

// Worker runs parts of mini-batches through a network. It contains the scratch memory of one
// device.
type Worker struct {
	net    *Net
	chunk  int // number of inputs that run at a time
	inputs int // number of inputs with allocated memory
	body
}

// body contains the values computed for a chunk of inputs.
type body struct {
	tower    tower
	sequence *sequence // nil in a DLRM
}

// WorkerInputs is the maximum number of inputs of a DLRM that a Worker runs at a time and allocates
// memory for. It is large enough that weights are rarely read, and small enough that the values of
// the inputs stay in the cache.
const WorkerInputs = 256

// workerSequences is the corresponding number for a TBSM, whose inputs have many time steps. Their
// towers fill whole panels.
const workerSequences = kernel.Lanes

// Worker returns a new worker for the network. It sees later updates of the network.
func (n *Net) Worker() *Worker {
	w := &Worker{net: n, chunk: WorkerInputs}
	if n.cfg.Kind == TBSM {
		w.chunk = workerSequences
	}
	w.reserve(1)
	return w
}

// reserve allocates memory for chunks of the given number of inputs, rounded up to a multiple of
// the lanes of a panel.
func (w *Worker) reserve(inputs int) {
	inputs = kernel.Panels(inputs) * kernel.Lanes
	if inputs <= w.inputs {
		return
	}
	w.inputs = inputs
	w.tower = newTower(w.net, kernel.Panels(inputs*w.net.cfg.steps()))
	if w.net.cfg.Kind == TBSM {
		w.sequence = newSequence(w.net, inputs)
	}
}

// Predict writes the probabilities of a click for the inputs of a part of a mini-batch. pooled
// contains their pooled vectors (inputs x bags x Dim).
func (w *Worker) Predict(part Batch, pooled, probabilities []float32) {
	w.mustMatch(part, len(pooled), len(probabilities))
	w.eachChunk(part, func(b body, chunk Batch, from, size int) {
		b.predict(w.net, chunk, pooled[from*size:][:chunk.Len()*size], probabilities[from:][:chunk.Len()])
	})
}

// Train runs the inputs of a part of a mini-batch of n inputs forward and backward. It adds their
// share of the loss and of the weight gradients to g. It writes the probabilities before the
// update, and the gradients of the pooled vectors (dPooled, shaped as pooled). Gradients and loss
// have the factor 1/n.
func (w *Worker) Train(part Batch, pooled []float32, n int, g *Gradients, probabilities, dPooled []float32) {
	w.mustMatch(part, len(pooled), len(probabilities))
	w.mustMatch(part, len(dPooled), len(probabilities))
	w.eachChunk(part, func(b body, chunk Batch, from, size int) {
		inputs, p := chunk.Len(), probabilities[from:][:chunk.Len()]
		b.predict(w.net, chunk, pooled[from*size:][:inputs*size], p)
		loss := w.net.cfg.Loss
		_, dOut := b.out()
		for i, label := range chunk.Labels {
			g.addLoss(loss.of(p[i], label) / float64(n))
			dOut.Set(i, 0, loss.gradient(p[i], label, n))
		}
		b.backward(w.net, g, dPooled[from*size:][:inputs*size], inputs)
	})
}

// eachChunk visits chunks of at most w.chunk inputs. size is the number of pooled values per input.
func (w *Worker) eachChunk(part Batch, visit func(b body, chunk Batch, from, size int)) {
	w.reserve(min(part.Len(), w.chunk))
	steps := w.net.cfg.steps()
	size := steps * (w.tower.vectors.Width - w.tower.dim)
	for from := 0; from < part.Len(); from += w.chunk {
		chunk := part.Slice(from, min(from+w.chunk, part.Len()))
		b := body{tower: w.tower.first(kernel.Panels(chunk.Len() * steps))}
		if w.sequence != nil {
			b.sequence = w.sequence.first(chunk.Len())
		}
		visit(b, chunk, from, size)
	}
}

// out returns the input of the last sigmoid, and its gradient.
func (b body) out() (out, dOut kernel.Tensor) {
	last := b.tower.top
	if b.sequence != nil {
		last = b.sequence.head
	}
	return last.out(), last.dOut()
}

func (b body) predict(net *Net, inputs Batch, pooled, probabilities []float32) {
	b.tower.forward(net, inputs.Dense, pooled, inputs.Len()*net.cfg.steps())
	if b.sequence != nil {
		b.sequence.forward(net, b.tower.top.out(), inputs.Len())
	}
	out, _ := b.out()
	for i := range probabilities {
		probabilities[i] = sigmoid(out.At(i, 0))
	}
}

func (b body) backward(net *Net, g *Gradients, dPooled []float32, inputs int) {
	if b.sequence != nil {
		b.sequence.backward(net, g, b.tower.top.out(), b.tower.top.dOut(), inputs)
	}
	b.tower.backward(net, g, dPooled, inputs*net.cfg.steps())
}

func (w *Worker) mustMatch(part Batch, pooled, probabilities int) {
	cfg, n := &w.net.cfg, part.Len()
	size := len(cfg.Tables) * cfg.steps() * cfg.Dim
	if len(part.Dense) != n*cfg.DenseWidth() || pooled != n*size || probabilities != n {
		panic(fmt.Sprintf("dlrm: %d dense and %d pooled values, %d probabilities for %d inputs; the model has %d and %d of an input",
			len(part.Dense), pooled, probabilities, n, cfg.DenseWidth(), size))
	}
}
