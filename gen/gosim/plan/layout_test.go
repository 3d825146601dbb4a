package plan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGap has lanes begin an odd number of cache lines apart.
func TestGap(t *testing.T) {
	for _, x := range []struct {
		lanes, width, room, want int
	}{
		{1, 32, 4096, 0},
		{128, 32, 6656, 0}, // more than a page
		{128, 8, 4096, 64},
		{64, 64, 64, 8},
		{64, 128, 256, 4},
		{64, 64, 8, 0},  // one line
		{64, 16, 32, 0}, // one line
		{64, 64, 4, 0},  // less than that
		{64, 190, 6, 2}, // words of 24 bytes
	} {
		m := &Memory{Lanes: x.lanes, Width: x.width, Room: x.room}
		require.Equal(t, x.want, m.Gap(), "%+v", x)
	}
	m := &Memory{Lanes: 64, Width: 64, Room: 16384, Copied: true}
	require.Equal(t, 8, m.Gap(), "of copies")
}
