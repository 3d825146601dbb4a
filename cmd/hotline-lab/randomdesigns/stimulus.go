package randomdesigns

import (
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/sim"
)

// reset reports whether reset is asserted in a cycle. All designs have the same resets, because the
// designs of a batch share one signal.
func reset(cycle int) bool { return cycle >= 6 && cycle < 8 || cycle%100 == 90 }

// inputs returns random inputs. They are held for several cycles now and then, so that designs
// become idle.
func inputs(f *sim.Format, seed uint64, cycles int) []uint64 {
	values, holds := sim.Random(f, seed), rand.New(rand.NewPCG(seed, 1))
	frame, held := make([]uint64, f.InWords), 0
	var out []uint64
	for c := range cycles {
		if held > 0 {
			held--
		} else {
			_ = values.Next(frame) // the stimulus never ends
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
