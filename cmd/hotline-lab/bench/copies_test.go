package bench

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/examples/rv32i"
	"github.com/hotline-rtl/hotline/gen/gosim"
)

// TestCopiesGlue: each instance takes its inputs from its own stimulus, and all outputs of each
// instance are summed.
func TestCopiesGlue(t *testing.T) {
	d, err := elaborate(rv32i.Core{})()
	require.NoError(t, err)
	files, err := gosim.GenerateCopies(d, 64, "design")
	require.NoError(t, err)
	text, err := copiesGlue(d, files)
	require.NoError(t, err)
	for _, want := range []string{
		"const inWords, every = 2, 29\n", "in.Rst[l] = w[0]&1 != 0\n", "in.MemoryWord[l] = uint32(w[", "h = fold(h, uint64(out.MemoryAddress[l]))", "h = fold(h, bit(out.Halted[l]))",
	} {
		require.Contains(t, text, want)
	}
	require.Equal(t, "Data[2]", wordOf("Data", 2, 8))
	require.Equal(t, "Data", wordOf("Data", 0, 1))
}

// TestSummedEvery: the outputs of each cycle of a stimulus are summed in some pass.
func TestSummedEvery(t *testing.T) {
	seen := map[int]bool{}
	for n := range cyclesOfCopies {
		seen[n*summedEvery%cyclesOfCopies] = true
	}
	require.Len(t, seen, cyclesOfCopies)
}
