package dma

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	p := tiny()
	reads, err := hw.Elaborate(read(p))
	require.NoError(t, err)
	yosystest.Run(t, "dma_read", reads, 3, func(d *ir.Design, seed uint64) error { return checkRead(d, p, seed) })
	writes, err := hw.Elaborate(write(p))
	require.NoError(t, err)
	yosystest.Run(t, "dma_write", writes, 3, func(d *ir.Design, seed uint64) error { return checkWrite(d, p, seed) })
}
