package plan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGap: lanes begin an odd number of cache lines apart.
func TestGap(t *testing.T) {
	for _, x := range []struct {
		lanes, width, room, want int
	}{
		{1, 32, 4096, 0},
		{128, 32, 6656, 0}, // more than a page
		{128, 8, 4096, 64},
		{64, 32, 128, 16},
		{64, 32, 16, 0}, // one line
		{64, 16, 32, 0}, // one line
		{64, 32, 8, 0},  // less than one line
		{64, 64, 64, 0}, // lanes have no storage of their own
	} {
		m := &Memory{Lanes: x.lanes, Width: x.width, Room: x.room}
		require.Equal(t, x.want, m.Gap(), "%+v", x)
	}
	for _, m := range []struct{ width, room, want int }{{64, 16384, 8}, {190, 6, 2}} { // words of 8 and 24 bytes
		copied := &Memory{Lanes: 64, Width: m.width, Room: m.room, Copied: true}
		require.Equal(t, m.want, copied.Gap(), "of copies")
	}
}

// TestSteps: long words of all lanes are contiguous, but not in a batch of instances.
func TestSteps(t *testing.T) {
	for _, x := range []struct {
		memory     Memory
		word, lane int
	}{
		{Memory{Lanes: 64, Width: 190, Room: 4096}, 64, 1},
		{Memory{Lanes: 64, Width: 33, Room: 64}, 64, 1},
		{Memory{Lanes: 64, Width: 32, Room: 128}, 1, 144},
		{Memory{Lanes: 64, Width: 190, Room: 6, Copied: true}, 1, 8},
		{Memory{Lanes: 1, Width: 64, Room: 16}, 1, 16},
	} {
		word, lane := x.memory.Steps()
		require.Equal(t, [2]int{x.word, x.lane}, [2]int{word, lane}, "%+v", x.memory)
	}
}
