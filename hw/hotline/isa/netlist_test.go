package isa

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	p := sizes[0].Params
	d, err := hw.Elaborate(Of(p))
	require.NoError(t, err)
	yosystest.Run(t, "isa", d, 2, func(d *ir.Design, seed uint64) error { return checkAll(d, p, seed) })
}
