package verilog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// A comparison that is divided, or divides, has parentheses: / binds more tightly.
func TestDividedComparison(t *testing.T) {
	d, err := ir.Parse("divided", `
module divided {
  input a : 4
  input b : 4
  input c : 1
  output q : 1
  output r : 1
  q = divu(ltu(a, b), c)
  r = divu(c, ltu(a, b))
}
`)
	require.NoError(t, err)
	files, err := verilog.Generate(d)
	require.NoError(t, err)
	require.Contains(t, files[0].Text, "? 1'b1 : (a < b) / c;")
	require.Contains(t, files[0].Text, "? 1'b1 : c / a_below_b;")
}
