package top

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func TestRemovedResetsOfMergesAreNoticed(t *testing.T) {
	reads, err := hw.Elaborate(ReadMerge{N: merged})
	require.NoError(t, err)
	require.Empty(t, bench.Unreset(reads, 32, func(seed uint64) error { return checkReads(reads, seed) }))
	p := arch.Small()
	writes, err := hw.Elaborate(WriteMerge{Stream: p.Stream(), N: merged})
	require.NoError(t, err)
	require.Empty(t, bench.Unreset(writes, 32, func(seed uint64) error { return checkWrites(writes, p, seed) }))
}
