package cells_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/fromverilog/cells"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestNoBits: an operand without bits is 0. Yosys writes such operands after it removed constants.
func TestNoBits(t *testing.T) {
	c := &eda.Cell{Name: "c", Type: "$reduce_or", Pins: map[string][]eda.Bit{"A": {}, "Y": {2}}, Directions: map[string]string{"A": "input", "Y": "output"}}
	v := cells.NewValues(&eda.Module{Cells: map[string]*eda.Cell{"c": c}}, func(*eda.Cell) bool { return false })
	e := v.Operation(c)
	require.Equal(t, ir.Const, e.Op)
	require.Equal(t, []uint64{0}, e.Val)
}
