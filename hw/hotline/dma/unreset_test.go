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
	require.Empty(t, bench.Unreset(read, 8, func(seed uint64) error { return randomReads(read, p, seed, 200) }))
	write, err := hw.Elaborate(Write{p})
	require.NoError(t, err)
	require.Empty(t, bench.Unreset(write, 8, func(seed uint64) error { return randomWrites(write, p, seed, 100) }))
}
