package dma

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// unnoticed requires that check detects each removed reset of d except those in want. With -short,
// it removes every eighth reset.
func unnoticed(t *testing.T, want []string, d *ir.Design, check func(seed uint64) error) {
	got := bench.UnresetOfEvery(bench.Every(8), d, 32, check)
	if testing.Short() {
		require.Subset(t, want, got)
		return
	}
	require.Equal(t, want, got)
}

func TestRemovedResetsAreNoticed(t *testing.T) {
	p := tiny()
	reads, err := hw.Elaborate(read(p))
	require.NoError(t, err)
	// A status after reset belongs to no open tag.
	unnoticed(t, []string{"dma_read.status_valid"}, reads, func(seed uint64) error { return randomReads(reads, p, seed, 200) })
	writes, err := hw.Elaborate(write(p))
	require.NoError(t, err)
	// Write does not check whether a tag is open before it allocates the tag.
	unnoticed(t, []string{"tag_ring.unfinished", "dma_write.status_valid"}, writes, func(seed uint64) error { return randomWrites(writes, p, seed, 100) })
}
