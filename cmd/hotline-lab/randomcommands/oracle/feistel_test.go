package oracle

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFeistelIsAPermutation(t *testing.T) {
	for w := feistel(4); w <= 16; w++ {
		seen := map[uint64]bool{}
		for id := range uint32(1) << w {
			x := w.forward(id)
			require.Less(t, x, uint64(1)<<w)
			require.Equal(t, id, w.inverse(x), "%d bits", w)
			seen[x] = true
		}
		require.Len(t, seen, 1<<w)
	}
}

// inverse returns the ID of a place.
func (w feistel) inverse(x uint64) uint32 { return uint32(w.apply(x, [4]int{3, 2, 1, 0})) }
