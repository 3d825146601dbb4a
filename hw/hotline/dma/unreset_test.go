package dma

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

func TestRemovedResetsAreNoticed(t *testing.T) {
	p := tiny()
	read, err := hw.Elaborate(Read{p})
	require.NoError(t, err)
	// A stray status is of no open tag.
	require.Equal(t, []string{"dma_read.status_valid"}, bench.Unreset(read, 32, func(seed uint64) error { return randomReads(read, p, seed, 200) }))
	write, err := hw.Elaborate(Write{p})
	require.NoError(t, err)
	// Nor does Write look whether a tag is open before it takes it.
	require.Equal(t, []string{"dma_tags.unfinished", "dma_write.status_valid"}, bench.Unreset(write, 32, func(seed uint64) error { return randomWrites(write, p, seed, 100) }))
}
