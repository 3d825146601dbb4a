package rec

import (
	"math/rand/v2"
	"testing"
)

// gmac reports billions of multiply-accumulates per second.
func gmac(b *testing.B, perOp int) {
	b.ReportMetric(float64(perOp)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GMAC/s")
}

func dense(rng *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = rng.Float32() + 0.1
	}
	return v
}

func BenchmarkMatVecAdd(b *testing.B) {
	const m, n = 512, 367
	rng := rand.New(rand.NewPCG(1, 1))
	w, x, y := dense(rng, m*n), dense(rng, n), dense(rng, m)
	for b.Loop() {
		matVecAdd(y, w, x)
	}
	gmac(b, m*n)
}

func BenchmarkMatTVecAdd(b *testing.B) {
	const m, n = 512, 367
	rng := rand.New(rand.NewPCG(1, 1))
	w, x, y := dense(rng, m*n), dense(rng, n), dense(rng, m)
	for b.Loop() {
		matTVecAdd(x, w, y)
	}
	gmac(b, m*n)
}

// BenchmarkTrain runs whole inputs; it counts three multiply-accumulates (forward, gradient of the input, gradient of the
// weight) for each weight and each product of the interaction.
func BenchmarkTrain(b *testing.B) {
	for _, c := range []struct {
		name        string
		bottom, top []int
	}{
		{"small", []int{13, 64, 16}, []int{64, 1}},
		{"RM2", []int{13, 512, 256, 64, 16}, []int{512, 256, 1}},
	} {
		b.Run(c.name, func(b *testing.B) {
			cfg := Config{Dense: 13, Dim: 16, Bottom: c.bottom, Top: c.top, LearningRate: 0.1}
			for range 26 {
				cfg.Tables = append(cfg.Tables, Table{Rows: 1000, Lookups: 1})
			}
			n, err := NewNet(cfg, 1)
			if err != nil {
				b.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 1))
			const size = 256
			batch := randomBatch(cfg, rng, size)
			pooled, dPooled, probabilities := dense(rng, size*26*16), make([]float32, size*26*16), make([]float32, size)
			w, g := n.Worker(), n.NewGradients()
			for b.Loop() {
				w.Train(batch, pooled, 1<<20, g, probabilities, dPooled)
			}
			gmac(b, size*3*(n.Len()+27*26/2*16))
			b.ReportMetric(size*float64(b.N)/b.Elapsed().Seconds(), "inputs/s")
		})
	}
}
