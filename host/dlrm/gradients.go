package dlrm

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm/exact"
)

// Gradients are the exact sums, over inputs of one mini-batch, of the gradients of a network's parameters and of the loss. A
// mini-batch divided among devices has one for each; Merge is the all-reduce.
type Gradients struct {
	layers  [][]layerSums // of each part
	loss    *exact.Sum
	rounded []float32 // scratch of Apply
}

// NewGradients returns gradients of zero for the network's parameters.
func (n *Net) NewGradients() *Gradients {
	g := &Gradients{loss: exact.NewSum(1)}
	for _, layers := range n.layers {
		g.layers = append(g.layers, newSums(layers))
	}
	return g
}

// params lists the sums in the order of Net.Params.
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

// Merge adds the sums of o, which belongs to a network of the same shape.
func (g *Gradients) Merge(o *Gradients) {
	theirs := o.params()
	for i, s := range g.params() {
		s.Merge(theirs[i])
	}
	g.loss.Merge(o.loss)
}

// Reset makes all sums zero, for the next mini-batch.
func (g *Gradients) Reset() {
	for _, s := range g.params() {
		s.Reset()
	}
	g.loss.Reset()
}

// Loss returns the loss: the mean over the mini-batch, once all of its inputs are in.
func (g *Gradients) Loss() (float32, error) {
	var loss [1]float32
	if err := g.loss.Round(loss[:]); err != nil {
		return 0, fmt.Errorf("loss: %w", err)
	}
	return loss[0], nil
}

// Apply rounds the gradients to float32 and makes one step of the optimiser. On error, which names the first parameter whose
// gradient is not valid, nothing has changed.
func (n *Net) Apply(g *Gradients) error {
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
	for _, values := range n.Params() {
		step := rest[:len(values)]
		n.cfg.Optimiser.Step(n.state[i], step)
		UpdateRow(values, step, -n.cfg.LearningRate)
		i, rest = i+1, rest[len(values):]
	}
	return nil
}
