package randomizer

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVectors(t *testing.T) {
	for _, v := range []struct {
		w    int
		x, y uint32
	}{
		{31, 0, 0x2ac2f577}, {31, 1, 0x74e40c5c}, {31, 2, 0x3a814cec},
		{31, 12345, 0x229f9f3f}, {31, 33762577, 0x175857d2}, {31, 1<<31 - 1, 0x0d3bbdd7},
		{12, 0, 0x802}, {12, 1, 0xa98}, {12, 4095, 0x727},
	} {
		require.Equal(t, v.y, Permute(v.w, v.x), "width %d, id %d", v.w, v.x)
		require.Equal(t, v.x, Invert(v.w, v.y), "width %d, image %#x", v.w, v.y)
	}
}

func TestPermuteIsABijection(t *testing.T) {
	for w := MinWidth; w <= 18; w++ {
		seen := make([]bool, 1<<w)
		for x := range uint32(1 << w) {
			y := Permute(w, x)
			require.Less(t, y, uint32(1)<<w)
			require.False(t, seen[y], "width %d: image %#x twice", w, y)
			require.Equal(t, x, Invert(w, y), "width %d", w)
			seen[y] = true
		}
	}
}

func TestInvertUndoesPermute(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for w := MinWidth; w <= MaxWidth; w++ {
		for range 1000 {
			x := r.Uint32() & mask(w)
			y := Permute(w, x)
			require.LessOrEqual(t, y, mask(w))
			require.Equal(t, x, Invert(w, y), "width %d", w)
		}
	}
}

// TestConsecutiveIDsSpread: consecutive ids, as in a table, load 64 banks like random ids.
func TestConsecutiveIDsSpread(t *testing.T) {
	const w, n, banks = 31, 1 << 16, 64
	for _, base := range []uint32{0, 33762577} {
		load := make([]float64, banks)
		for x := range uint32(n) {
			load[Permute(w, base+x)%banks]++
		}
		chi := 0.0
		for _, l := range load {
			d := l - n/banks
			chi += d * d / (n / banks)
		}
		require.Less(t, chi, 150.0, "chi-square with 63 degrees of freedom, ids from %d", base)
	}
}
