package dma

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

func TestRemovedResetsAreNoticed(t *testing.T) {
	p := tiny()
	reads, err := hw.Elaborate(read(p))
	require.NoError(t, err)
	// A stray status is of no open tag.
	require.Equal(t, []string{"dma_read_s128_t4_v32.status_valid"}, bench.Unreset(reads, 32, func(seed uint64) error { return randomReads(reads, p, seed, 200) }))
	writes, err := hw.Elaborate(write(p))
	require.NoError(t, err)
	// Nor does Write look whether a tag is open before it takes it.
	require.Equal(t, []string{"tag_ring_t4.unfinished", "dma_write_s128_t4.status_valid"}, bench.Unreset(writes, 32, func(seed uint64) error { return randomWrites(writes, p, seed, 100) }))
}
