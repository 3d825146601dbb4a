package dlrm

import "math"

// Update is an optimiser in one mini-batch. It converts gradients to steps, in place, and updates
// their states. A parameter then changes by minus the full learning rate times its step
// (UpdateRow).
//
// All arithmetic is float32, each operation is rounded, and the methods below define the order, so
// that all systems compute the same bits. The constants of a mini-batch are computed in float64 and
// rounded once.
type Update struct {
	rule     Rule
	decay    float32 // of weights
	momentum float32
	first    float32 // of Adam's first moment: the share of the gradient
	kept     float32 // of Adam's second moment: the share of its old value
	second   float32 // and the share of the square
	rows     float32 // added to the roots of rows
	dense    float32 // added to the roots of dense parameters
	scale    float32 // of the steps: the schedule and Adam's bias correction
}

// Update returns the optimiser in mini-batch m, counted from 0.
func (c Config) Update(m int) Update {
	o := c.Optimiser
	u := Update{rule: o.Rule, decay: float32(o.WeightDecay), momentum: float32(o.Momentum), rows: float32(o.Eps), dense: float32(o.Eps)}
	scale := o.Schedule.share(float64(c.LearningRate), m)
	if o.Rule == RuleAdam {
		u.first, u.kept, u.second = float32(1-o.Beta1), float32(o.Beta2), float32(1-o.Beta2)
		root := math.Sqrt(1 - power(o.Beta2, m+1))
		u.dense = float32(o.Eps * root) // torch.optim.SparseAdam does not correct its eps
		scale *= root / (1 - power(o.Beta1, m+1))
	}
	u.scale = float32(scale)
	return u
}

// power returns x^n by repeated squaring, with the same bits on every machine.
func power(x float64, n int) float64 {
	p := 1.0
	for ; n > 0; n /= 2 {
		if n%2 == 1 {
			p = float64(p * x)
		}
		x = float64(x * x)
	}
	return p
}

// Row makes the step of an embedding row. It must be called in exactly the mini-batches that read
// the row. Rows are lazy, as in torch.optim.SparseAdam, in RWSAdagrad of the DLRM reference and in
// FBGEMM: in other mini-batches, neither the row nor its state changes. That includes momentum,
// for which PyTorch has no lazy rule.
func (u Update) Row(state, grad []float32) {
	if u.rule == RuleRowwiseAdagrad {
		u.rowwise(state, grad)
	} else {
		u.step(state, grad, u.rows)
	}
	u.rescale(grad)
}

// Dense makes the step of a dense parameter with the given values, including weight decay.
func (u Update) Dense(values, state, grad []float32) {
	if u.decay != 0 {
		for i, w := range values {
			grad[i] += float32(u.decay * w)
		}
	}
	u.Slice(state, grad)
}

// Slice makes the step of a slice of a tensor train. Slices are lazy and have no weight decay, like
// rows, and the states of dense parameters.
func (u Update) Slice(state, grad []float32) {
	u.step(state, grad, u.dense)
	u.rescale(grad)
}

// step applies the rule without the scale of the steps. eps is added to roots.
func (u Update) step(state, grad []float32, eps float32) {
	switch u.rule {
	case RuleMomentum:
		for i, g := range grad {
			state[i] = float32(u.momentum*state[i]) + g
			grad[i] = state[i]
		}
	case RuleAdagrad, RuleRowwiseAdagrad:
		for i, g := range grad {
			state[i] += float32(g * g)
			grad[i] = g / (root(state[i]) + eps)
		}
	case RuleAdam:
		first, second := state[:len(grad)], state[len(grad):]
		for i, g := range grad {
			first[i] += float32(u.first * (g - first[i]))
			second[i] = float32(u.kept*second[i]) + float32(u.second*float32(g*g))
			grad[i] = first[i] / (root(second[i]) + eps)
		}
	}
}

// rowwise applies row-wise Adagrad, whose state is a single value. It sums the squares in index
// order.
func (u Update) rowwise(state, grad []float32) {
	var sum float32
	for _, g := range grad {
		sum += float32(g * g)
	}
	state[0] += sum / float32(len(grad))
	divisor := root(state[0]) + u.rows
	for i := range grad {
		grad[i] /= divisor
	}
}

// rescale multiplies steps by their scale.
func (u Update) rescale(step []float32) {
	if u.scale == 1 {
		return
	}
	for i := range step {
		step[i] *= u.scale
	}
}

func root(x float32) float32 { return float32(math.Sqrt(float64(x))) }
