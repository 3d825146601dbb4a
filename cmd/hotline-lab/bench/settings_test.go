package bench

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestComplete(t *testing.T) {
	given := Settings{Quick: true, JSON: true, Verilators: []string{"a", "b"}, Compilers: []string{"g++"}, Only: []string{"eal", "isa"}, Rounds: 3, Dir: "d"}
	s := given
	s.Rounds = 7
	require.NoError(t, s.Complete())
	require.Equal(t, given, s)

	s = Settings{Rounds: 7, Dir: "d"}
	require.NoError(t, s.Complete())
	require.Equal(t, 7, s.Rounds)
	require.Equal(t, []string{"verilator"}, s.Verilators)
	require.Len(t, s.Compilers, 1)
	require.Equal(t, []string{"hotline", "lookup", "eal", "dispatch", "reduce", "isa", "dma_read", "dma_write"}, s.Only)

	s = Settings{Quick: true, Rounds: 1}
	require.NoError(t, s.Complete())
	require.Equal(t, 1, s.Rounds)
}

func TestCompleteErrors(t *testing.T) {
	require.ErrorContains(t, (&Settings{Rounds: 1, Only: []string{"eal", "gpu"}}).Complete(), `no design "gpu", expected some of hotline,`)
	require.EqualError(t, (&Settings{}).Complete(), "--rounds is 0, expected at least 1")
}
