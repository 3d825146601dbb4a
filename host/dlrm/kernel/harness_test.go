package kernel

import "math/rand/v2"

// with makes the package use an implementation until the returned function is called.
func with(i implementation) (restore func()) {
	before := use
	use = &i
	return func() { use = before }
}

func randomValues(rng *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		if rng.IntN(4) > 0 {
			v[i] = float32(rng.NormFloat64())
		}
	}
	return v
}

func randomTensor(rng *rand.Rand, width, inputs int) Tensor {
	t := NewTensor(width, Panels(inputs))
	t.Load(randomValues(rng, width*inputs), inputs)
	return t
}
