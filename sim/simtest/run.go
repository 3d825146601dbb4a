package simtest

import (
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// Run drives s with random inputs for the given number of cycles, with the reset on in the first
// two. It calls check before each clock edge and stops at the first error.
func Run(s sim.Simulator, seed uint64, cycles int, check func() error) error {
	r := rand.New(rand.NewPCG(seed, 1))
	for cycle := range cycles {
		s.SetReset(cycle < 2 || r.IntN(100) == 0)
		for i, p := range s.Ports() {
			if p.Input && r.IntN(3) > 0 {
				s.Set(i, Value(r, p.Type.Bits()))
			}
		}
		if err := check(); err != nil {
			return err
		}
		if err := s.Step(); err != nil {
			return err
		}
	}
	return nil
}

// Value returns a random value of width bits, sometimes with few or many bits set.
func Value(r *rand.Rand, width int) []uint64 {
	x := make([]uint64, ir.Words(width))
	kind := r.IntN(4)
	for i := range x {
		switch kind {
		case 0:
			x[i] = r.Uint64() & r.Uint64() & r.Uint64()
		case 1:
			x[i] = r.Uint64() | r.Uint64() | r.Uint64()
		default:
			x[i] = r.Uint64()
		}
	}
	if width%64 != 0 {
		x[len(x)-1] &= 1<<(width%64) - 1
	}
	return x
}
