package dlrm

import "github.com/hotline-rtl/hotline/host/dlrm/detmath"

// Loss is the objective that training minimizes: the mean of a function of probability and label.
type Loss int

const (
	// BCE is the binary cross-entropy.
	BCE Loss = iota
	// MSE is the squared error.
	MSE
)

// of returns the loss of one input with probability p and label y.
func (l Loss) of(p, y float32) float64 {
	if l == MSE {
		d := float64(p) - float64(y)
		return float64(d * d)
	}
	return crossEntropy(p, y)
}

// gradient returns the derivative of the mean loss over n inputs with respect to the input of the
// sigmoid whose output is p.
func (l Loss) gradient(p, y float32, n int) float32 {
	d := (p - y) / float32(n)
	if l == MSE {
		return sigmoidBack(2*d, p)
	}
	return d // p*(1-p) cancels with the denominator of the loss's derivative
}

// leastLog is the lower bound of the logarithm of a probability, as in PyTorch's BCELoss: a certain
// and wrong answer costs 100.
const leastLog = -100

// sigmoid returns 1/(1+e^-z), rounded once from float64.
func sigmoid(z float32) float32 { return float32(1 / (1 + detmath.Exp(-float64(z)))) }

// sigmoidBack returns the gradient of a sigmoid's input, given the gradient dp of its output p.
func sigmoidBack(dp, p float32) float32 { return float32(dp*(1-p)) * p }

// crossEntropy returns -(y*ln(p) + (1-y)*ln(1-p)).
func crossEntropy(p, y float32) float64 {
	a, b := logProbability(float64(p)), logProbability(1-float64(p))
	return -(float64(float64(y)*a) + float64((1-float64(y))*b))
}

func logProbability(p float64) float64 { return max(detmath.Log(p), leastLog) }
