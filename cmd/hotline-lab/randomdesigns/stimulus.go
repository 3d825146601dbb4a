package randomdesigns

import (
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/sim"
)

// reset tells whether it is on in a cycle; it is the same for all designs, which
// share it when they are side by side.
func reset(cycle int) bool { return cycle >= 6 && cycle < 8 || cycle%100 == 90 }

// inputs are random, and held for a while now and then so that designs become
// quiet.
func inputs(f *sim.Format, seed uint64, cycles int) []uint64 {
	values, holds := sim.Random(f, seed), rand.New(rand.NewPCG(seed, 1))
	frame, held := make([]uint64, f.InWords), 0
	var out []uint64
	for c := range cycles {
		if held > 0 {
			held--
		} else {
			_ = values.Next(frame) // is endless
			if holds.IntN(12) == 0 {
				held = holds.IntN(12)
			}
		}
		frame[0] = 0
		if reset(c) {
			frame[0] = 1
		}
		out = append(out, frame...)
	}
	return out
}
