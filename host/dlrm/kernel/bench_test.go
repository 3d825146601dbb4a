package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// benchInputs is the number of inputs that a worker runs at a time.
const benchInputs = 256

// forEach runs a benchmark with every implementation, and reports billions of multiply-accumulates
// per second.
func forEach(b *testing.B, macs int, f func()) {
	for _, i := range implementations() {
		b.Run(i.name, func(b *testing.B) {
			defer with(i)()
			for b.Loop() {
				f()
			}
			b.ReportMetric(float64(macs)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GMAC/s")
		})
	}
}

func BenchmarkLinear(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, s := range [][2]int{{512, 367}, {64, 13}} {
		out, in := s[0], s[1]
		w, bias := randomValues(rng, out*in), randomValues(rng, out)
		x, y := randomTensor(rng, in, benchInputs), NewTensor(out, Panels(benchInputs))
		b.Run(fmt.Sprintf("forward/%dx%d", out, in), func(b *testing.B) {
			forEach(b, out*in*benchInputs, func() { Linear(y, w, bias, x) })
		})
		b.Run(fmt.Sprintf("back/%dx%d", out, in), func(b *testing.B) {
			forEach(b, out*in*benchInputs, func() { InputGradient(x, w, y) })
		})
	}
}

func BenchmarkAddProducts(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, size := range [][2]int{{512, 367}, {64, 13}} {
		out, in := size[0], size[1]
		s, x, y := make([]float64, out*in), randomTensor(rng, in, benchInputs), randomTensor(rng, out, benchInputs)
		b.Run(fmt.Sprintf("%dx%d", out, in), func(b *testing.B) {
			forEach(b, out*in*benchInputs, func() { AddProducts(s, y, x, 0, benchInputs) })
		})
	}
}

func BenchmarkInteract(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	const vectors, dim = 27, 16
	v, dv := randomTensor(rng, vectors*dim, benchInputs), randomTensor(rng, vectors*dim, benchInputs)
	z := randomTensor(rng, pairs(vectors), benchInputs)
	macs := pairs(vectors) * dim * benchInputs
	b.Run("forward", func(b *testing.B) { forEach(b, macs, func() { Interact(z, v, dim) }) })
	b.Run("back", func(b *testing.B) { forEach(b, 2*macs, func() { InteractBack(dv, z, v, dim) }) })
}
