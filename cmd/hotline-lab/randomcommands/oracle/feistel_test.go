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
