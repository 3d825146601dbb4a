package interp_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/random"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// Each benchmark reports the time per cycle and the time per evaluated operation.
func BenchmarkFIFOs(b *testing.B) { measure(b, simtest.FIFOArray{Lanes: 64, Width: 32, Depth: 16}, 1) }
func BenchmarkFIFOs512(b *testing.B) {
	measure(b, simtest.FIFOArray{Lanes: 8, Width: 512, Depth: 16}, 1)
}
func BenchmarkALU32(b *testing.B)  { measure(b, simtest.ALU{Width: 32}, 1) }
func BenchmarkALU512(b *testing.B) { measure(b, simtest.ALU{Width: 512}, 1) }
func BenchmarkRandom(b *testing.B) {
	s, err := interp.New(random.Random(1, random.Options{Size: 20, Levels: 3}))
	require.NoError(b, err)
	run(b, s, 1)
}
func BenchmarkIdle(b *testing.B) {
	measure(b, simtest.FIFOArray{Lanes: 64, Width: 32, Depth: 16}, 0)
}

// measure changes the inputs every period cycles, or never if period is 0.
func measure[P any](b *testing.B, g hw.Generator[P], period int) {
	run(b, elaborate(b, g), period)
}

func run(b *testing.B, s *interp.Sim, period int) {
	r := rand.New(rand.NewPCG(1, 2))
	stimulus := make([][][]uint64, 64)
	for k := range stimulus {
		for _, p := range s.Ports() {
			stimulus[k] = append(stimulus[k], simtest.Value(r, p.Type.Bits()))
		}
	}
	cycle(s, nil)
	cycle(s, nil)
	before := s.Evaluated()
	b.ResetTimer()
	for i := range b.N {
		if period > 0 && i%period == 0 {
			cycle(s, stimulus[i%64])
		} else {
			cycle(s, nil)
		}
	}
	if n := s.Evaluated() - before; n > 0 {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/eval")
		b.ReportMetric(float64(n)/float64(b.N), "evals/cycle")
	}
}

func cycle(s *interp.Sim, inputs [][]uint64) {
	for i, p := range s.Ports() {
		if p.Input && inputs != nil {
			s.Set(i, inputs[i])
		}
	}
	if err := s.Step(); err != nil {
		panic(err)
	}
}
