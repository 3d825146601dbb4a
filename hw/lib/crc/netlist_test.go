package crc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/crc"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	d, err := hw.Elaborate(crc.CRC32C{Bytes: 8})
	require.NoError(t, err)
	in := inputs(t, 8)
	yosystest.Run(t, "crc32c", d, 1, func(d *ir.Design, _ uint64) error { return check(d, 8, in) })
}
