package exact

import "testing"

func BenchmarkAddOuter(b *testing.B) {
	const m, n = 64, 367
	s := NewSum(m * n)
	x, y := make([]float32, n), make([]float32, m)
	for i := range x {
		x[i] = 1e-3 * float32(i)
	}
	for i := range y {
		y[i] = 1e-6 * float32(i+1)
	}
	for b.Loop() {
		s.AddOuter(y, x)
	}
	b.ReportMetric(float64(m*n)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GMAC/s")
}
