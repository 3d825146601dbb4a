package cells

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestReductionWithoutBits: Yosys leaves reductions without operands, whose value is 0.
func TestReductionWithoutBits(t *testing.T) {
	c := &eda.Cell{Type: "$reduce_or", Pins: map[string][]eda.Bit{"A": {}, "Y": make([]eda.Bit, 1)}}
	e := (&Values{}).Operation(c)
	require.Equal(t, []uint64{0}, e.Val)
	require.Equal(t, 1, e.Type.Width)
	c.Type = "$logic_not"
	require.Equal(t, ir.Not, (&Values{}).Operation(c).Op, "negative control: its complement is 1")
}
