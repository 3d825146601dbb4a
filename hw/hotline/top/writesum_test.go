package top

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// TestWriteSum sums random beats, with some clears at least two cycles after the latest beat.
func TestWriteSum(t *testing.T) {
	for _, s := range sizes {
		d, err := hw.Elaborate(WriteSum{s.Stream()})
		require.NoError(t, err)
		b, err := bench.New(d, 1)
		require.NoError(t, err)
		valid, data, clear, sum := b.Pin("valid"), b.Pin("data"), b.Pin("clear"), b.Pin("sum")
		want := [2]uint32{} // in this cycle, and in the next
		idle := 0
		for range 2000 {
			beat := make([]byte, s.StreamBytes())
			words := make([]uint64, len(beat)/8)
			for i := range words {
				words[i] = b.Rand.Uint64()
				binary.LittleEndian.PutUint64(beat[8*i:], words[i])
			}
			write, wipe := b.Rand.IntN(3) > 0, idle > 1 && b.Rand.IntN(4) == 0
			valid.SetBool(write)
			clear.SetBool(wipe)
			data.SetWords(words)
			require.EqualValues(t, want[0], sum.Get())
			require.NoError(t, b.Cycle())
			want[0] = want[1]
			idle++
			if wipe {
				want = [2]uint32{}
			}
			if write {
				want[1] += arch.BeatSum(s.StreamBytes(), beat)
				idle = 0
			}
		}
	}
}
