package top

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	reads, err := hw.Elaborate(ReadMerge{N: merged})
	require.NoError(t, err)
	yosystest.Run(t, "read_merge", reads, 5, checkReads)
	p := arch.Small()
	writes, err := hw.Elaborate(WriteMerge{Stream: p.Stream(), N: merged})
	require.NoError(t, err)
	yosystest.Run(t, "write_merge", writes, 5, func(d *ir.Design, seed uint64) error { return checkWrites(d, p, seed) })
}
