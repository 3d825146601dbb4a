package verilog_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestDividedComparison: a comparison that is an operand of / has parentheses, because / has higher
// precedence.
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

// TestLongDivision: a loop divides numbers of more than 512 bits, which Verilator 5.006 cannot
// divide. The compared outputs include divisors of 0. The test omits Yosys, which takes 10 s to
// unroll a loop.
func TestLongDivision(t *testing.T) {
	d, err := ir.Parse("division", `
module division {
  input x : 513
  input y : 513
  output quotient : 513
  output remainder : 513
  output by_constant : 520
  output narrow : 512
  quotient = divu(x, y)
  remainder = modu(x, y)
  by_constant = modu(zext:520(x), 520'h9b3)
  narrow = divu(zext:512(x[399:0]), zext:512(y[399:0]))
}
`)
	require.NoError(t, err)
	files, err := verilog.Generate(d)
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(files[0].Text, "for (k = 0;"))
	require.Equal(t, 1, strings.Count(files[0].Text, " / "), "of 512 bits")
	require.NotContains(t, files[0].Text, " % ")
	paths := save(t, files)
	silent(t, "verilator", append([]string{"--lint-only", "-Wall"}, paths...)...)
	silent(t, "iverilog", append([]string{"-g2005", "-Wall", "-o", os.DevNull}, paths...)...)
	compare(t, d, files, 40, 1)
}
