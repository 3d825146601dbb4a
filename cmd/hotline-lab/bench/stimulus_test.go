package bench

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// frames is a stimulus from a list.
type frames [][]uint64

// Next implements sim.Stimulus.
func (f *frames) Next(frame []uint64) error {
	if len(*f) == 0 {
		return io.EOF
	}
	copy(frame, (*f)[0])
	*f = (*f)[1:]
	return nil
}

// TestEvents reads the events back like the runners do.
func TestEvents(t *testing.T) {
	f := sim.NewFormat([]sim.Port{{Name: "a", Input: true, Type: ir.Type{Width: 1}}, {Name: "y", Type: ir.Type{Width: 9}}, {Name: "b", Input: true, Type: ir.Type{Width: 100}}})
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 0))
		var want frames
		var counts []bool
		frame, count := make([]uint64, f.InWords), false
		for range 50 {
			if random.IntN(3) == 0 {
				frame = slices.Clone(frame)
				frame[random.IntN(len(frame))] = random.Uint64N(2)
			}
			if random.IntN(5) == 0 {
				count = !count
			}
			want, counts = append(want, frame), append(counts, count)
		}
		source := slices.Clone(want)
		var b bytes.Buffer
		require.NoError(t, events(&b, f, &source, upToLast(counts)))

		words := make([]uint64, b.Len()/8)
		require.NoError(t, binary.Read(&b, binary.LittleEndian, words))
		c := 0
		for ; len(words) > 0; words = words[2+f.InWords:] {
			require.NotZero(t, words[0])
			for range words[0] {
				require.Equal(t, want[c], words[2:2+f.InWords], "cycle %d", c)
				require.Equal(t, counts[c], words[1] == 1, "cycle %d", c)
				c++
			}
		}
		require.NotContains(t, counts[c:], true, "ends with the last cycle that counts")
		require.True(t, c == 0 || counts[c-1], "ends with the last cycle that counts")
	}
}
