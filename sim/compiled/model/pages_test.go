package model

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPages(t *testing.T) {
	var long [3*pageSize + 5]byte
	var short [2]uint32
	parts := [][]byte{Bytes(&long), Bytes(&short)}
	empty := Save(parts, nil)
	require.Len(t, empty, 5)
	for _, p := range empty {
		require.Same(t, &nothing[0], &p[0], "nothing is copied")
	}

	long[pageSize+3], short[1] = 7, 9
	first := Save(parts, empty)
	long[3*pageSize+4] = 1
	second := Save(parts, first)
	for i, own := range []bool{false, true, false, false, true} {
		require.Equal(t, own, &first[i][0] != &empty[i][0], "page %d", i)
	}
	for i, own := range []bool{false, false, false, true, false} {
		require.Equal(t, own, &second[i][0] != &first[i][0], "page %d", i)
	}

	first.Restore(parts)
	require.Zero(t, long[3*pageSize+4])
	require.Equal(t, byte(7), long[pageSize+3])
	require.Equal(t, uint32(9), short[1])
	empty.Restore(parts)
	require.Zero(t, long)
	require.Zero(t, short)
	second.Restore(parts)
	require.Equal(t, byte(1), long[3*pageSize+4])
	require.Equal(t, second, Save(parts, nil))
}
