package rec

import "github.com/hotline-rtl/hotline/host/rec/repro"

// leastLog bounds the logarithm of a probability from below, as in PyTorch's BCELoss: a sure and wrong answer costs 100.
const leastLog = -100

// sigmoid returns 1/(1+e^-z), rounded once from float64.
func sigmoid(z float32) float32 { return float32(1 / (1 + repro.Exp(-float64(z)))) }

// crossEntropy returns -(y*ln(p) + (1-y)*ln(1-p)).
func crossEntropy(p, y float32) float64 {
	a, b := logProbability(float64(p)), logProbability(1-float64(p))
	return -(float64(float64(y)*a) + float64((1-float64(y))*b))
}

func logProbability(p float64) float64 { return max(repro.Log(p), leastLog) }
