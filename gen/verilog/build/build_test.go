package build_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/build"
	"github.com/hotline-rtl/hotline/gen/verilog/plan"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// named returns the names of intermediate values, and the text, of a module with an expression.
func named(t *testing.T, expr string) (names []string, text string) {
	d, err := ir.Parse(expr, `module named {
  input a : 8
  input b : 8
  input at : 3
  input list : 5x8
  output q : 8
  output r : 8
  q = `+expr+`
  r = not(q)
}
`)
	require.NoError(t, err)
	m := build.Module(plan.New(d.Top, nil, false), build.Options{})
	for _, it := range m.Items {
		if d, ok := it.(*syntax.DeclItem); ok {
			names = append(names, d.Obj.Name)
		}
	}
	return names, m.Text()
}

// TestNames checks which values get a name.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		expr string
		want []string
		text string
	}{
		{"add(a, b)", nil, "assign q = a + b;"},
		{"zext:8(add(a, b)[7:4])", []string{"a_plus_b"}, "assign q = {4'd0, a_plus_b[7:4]};"},
		{"zext:8(encode(a))", []string{"a_index"}, "always @* begin : a_index_loop"},
		{"zext:8(lts(a, b))", nil, "{7'd0, $signed(a) < $signed(b)}"},
		{"shrs(a, at)", nil, "assign q = $signed(a) >>> at;"},
		{"add(shrs(a, at), b)", []string{"a_shifted"}, "assign q = a_shifted + b;"},
		{"list[at]", nil, "assign q = (at < 3'd5) ? list[at*8 +: 8] : 8'd0;"},
	} {
		names, text := named(t, c.expr)
		require.Equal(t, c.want, names, c.expr)
		require.Contains(t, text, c.text)
	}
}
