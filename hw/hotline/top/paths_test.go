package top

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoPaths changes inputs in the middle of cycles. The outputs of the chip must not change,
// because they come from registers only.
func TestNoPaths(t *testing.T) {
	s := recovering(t)
	s.queue(t, readRow(1), load, writeRow(0), readRow(2), load, writeRow(1), fence)
	outputs := func() (all [][]uint64) {
		for _, p := range s.Sim.Ports() {
			if !p.Input {
				all = append(all, append([]uint64{}, s.pins[p.Name].Words()...))
			}
		}
		return all
	}
	for range 400 {
		before := outputs()
		for _, p := range s.Sim.Ports() {
			if p.Input {
				was := append([]uint64{}, s.pins[p.Name].Words()...)
				other := append([]uint64{}, was...)
				for i := range p.Type.Bits() {
					other[i/64] ^= 1 << (i % 64)
				}
				s.pins[p.Name].SetWords(other)
				require.Equal(t, before, outputs(), p.Name)
				s.pins[p.Name].SetWords(was)
			}
		}
		require.NoError(t, s.cycle())
	}
}
