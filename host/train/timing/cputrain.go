package timing

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
)

// TrainOnCPU books forward and backward through the dense part for inputs, on workers that share the
// CPU of a server. Workers call operators concurrently. An operator runs where it is called, so
// calls and arithmetic add up. Activations stay in caches.
func (s *Schedule) TrainOnCPU(inputs int, after timeline.Point) timeline.Point {
	n := s.ServerShare(inputs)
	call := s.Machine.Dispatch(s.Profile.Launch == "graph", 1)
	for i, o := range s.Train(n) {
		work := des.Time(o.Count) * call
		if i < len(s.mlps) {
			work += s.Machine.CPUProducts(s.mlps[i].flops(n, i > 0))
		} else {
			work += s.Machine.Stream(s.interactionBytes(n))
		}
		after = s.Book(s.CPU, o.Label, work, 0, after)
	}
	return after
}

// flops returns the operations of an MLP's products for n inputs, forward and backward. The first
// layer needs the gradient of its input only if inputGradient is true.
func (m mlp) flops(n int, inputGradient bool) float64 {
	sum := 0
	for i, in := range m.widths[:len(m.widths)-1] {
		products := 2
		if i > 0 || inputGradient {
			products = 3
		}
		sum += 2 * products * in * m.widths[i+1]
	}
	return float64(n) * float64(m.times) * float64(sum)
}

// interactionBytes returns the bytes that the interaction of n inputs reads and writes, forward and
// backward.
func (s *Schedule) interactionBytes(n int) int {
	return 3 * max(1, s.Model.Steps) * n * ValueBytes * (s.Model.Features()*s.Model.Dim + s.Model.TopIn())
}
