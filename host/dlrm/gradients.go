package dlrm

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm/exact"
)

// Gradients contains the exact sums, over inputs of one mini-batch, of the gradients of a network's
// parameters and of the loss. If a mini-batch is divided among devices, each device has its own
// Gradients; Merge is the all-reduce.
type Gradients struct {
	layers  [][]layerSums // of each part of the network
	loss    *exact.Sum
	rounded []float32 // scratch memory of Apply
}

// NewGradients returns zero gradients for the network's parameters.
func (n *Net) NewGradients() *Gradients {
	g := &Gradients{loss: exact.NewSum(1)}
	for _, layers := range n.layers {
		g.layers = append(g.layers, newSums(layers))
	}
	return g
}

// params returns the sums in the order of Net.Params.
func (g *Gradients) params() []*exact.Sum {
	var all []*exact.Sum
	for _, layers := range g.layers {
		for _, l := range layers {
			all = append(all, l.w)
			if l.b != nil {
				all = append(all, l.b)
			}
		}
	}
	return all
}

func (g *Gradients) addLoss(loss float64) {
	values := []float32{float32(loss)}
	g.loss.Add(values, exact.Magnitude(values))
}

// Merge adds the sums of o, which must belong to a network of the same shape.
func (g *Gradients) Merge(o *Gradients) {
	theirs := o.params()
	for i, s := range g.params() {
		s.Merge(theirs[i])
	}
	g.loss.Merge(o.loss)
}

// Reset sets all sums to zero, for the next mini-batch.
func (g *Gradients) Reset() {
	for _, s := range g.params() {
		s.Reset()
	}
	g.loss.Reset()
}

// Loss returns the loss, the mean over the mini-batch, after all of its inputs were added.
func (g *Gradients) Loss() (float32, error) {
	var loss [1]float32
	if err := g.loss.Round(loss[:]); err != nil {
		return 0, fmt.Errorf("loss of the mini-batch: %w", err)
	}
	return loss[0], nil
}

// Apply rounds the gradients of mini-batch m to float32 and makes one step of the optimiser. On
// error nothing has changed, and the error names the first parameter with an invalid gradient.
func (n *Net) Apply(m int, g *Gradients) error {
	g.rounded = slices.Grow(g.rounded[:0], n.Len())[:n.Len()]
	sums, rest := g.params(), g.rounded
	i := 0
	for name, values := range n.Params() {
		if err := sums[i].Round(rest[:len(values)]); err != nil {
			return fmt.Errorf("gradient of %s: %w", name, err)
		}
		i, rest = i+1, rest[len(values):]
	}
	i, rest = 0, g.rounded
	update := n.cfg.Update(m)
	for _, values := range n.Params() {
		step := rest[:len(values)]
		update.Dense(values, n.state[i], step)
		UpdateRow(values, step, -n.cfg.LearningRate)
		i, rest = i+1, rest[len(values):]
	}
	return nil
}
