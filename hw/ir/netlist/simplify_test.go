package netlist_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSimplify checks the operation that computes q, before and after the simplification. Lockstep
// tests of package gosim compare simplified designs with the interpreter, which does not simplify.
func TestSimplify(t *testing.T) {
	for expr, want := range map[string]string{
		"ne(concat(a[0:0], a[4:4], b[3:3]), 3'd0)":       "or(or(slice(a)[0+:1], slice(a)[4+:1]), slice(b)[3+:1])",
		"eq(concat(a[0:0], b[3:3]), 2'd2)":               "and(slice(a)[0+:1], not(slice(b)[3+:1]))",
		"redand(concat(a, b[1:0]))":                      "and(eq(a, 8'd255), eq(slice(b)[0+:2], 2'd3))",
		"eq(not(a), 8'd1)":                               "eq(a, 8'd254)",
		"eq(zext:9(a), 9'd300)":                          "1'd0",
		"not(eq(a, b))":                                  "ne(a, b)",
		"mux(c, mux(c, a, b), b)[0:0]":                   "slice(mux(c, a, b))[0+:1]",
		"mux(not(c), a, b)[0:0]":                         "slice(mux(c, b, a))[0+:1]",
		"and(c, mux(d, 1'd0, 1'd1))":                     "and(c, not(d))",
		"ltu(concat(mux(c, a, b), mux(c, b, a)), 16'd9)": "ltu(mux(c, concat(a, b), concat(b, a)), 16'd9)",
		"ltu(concat(or(a[3:3], b[3:3]), or(a[2:2], b[2:2]), or(a[1:1], b[1:1]), or(a[0:0], b[0:0])), 4'd3)": "ltu(or(slice(a)[0+:4], slice(b)[0+:4]), 4'd3)",
		"ltu(concat(c, c, c), a[2:0])": "ltu(sext(c), slice(a)[0+:3])",
	} {
		f := flatten(t, "module m {\n  input a : 8\n  input b : 8\n  input c : 1\n  input d : 1\n  output q : 1\n  q = "+expr+"\n}\n")
		before := show(f, f.Ports[4].Nets[0])
		f.Simplify()
		require.Equal(t, want, show(f, f.Ports[4].Nets[0]), expr)
		require.NotEqual(t, before, want, expr)
	}
}

// TestSimplifyKeepsLanes: operations of a loop stay alike, although their constants differ. The
// lanes of a vector are compared together.
func TestSimplifyKeepsLanes(t *testing.T) {
	f := flatten(t, "module m {\n  input a : 4x2\n  output q : 4x1\n  for l 4 {\n    q[l] = eq(concat(a[l][0:0], a[l][1:1]), 2'd2)\n  }\n}\n")
	before := len(f.Ops)
	f.Simplify()
	require.Len(t, f.Ops, before)
	f = flatten(t, "module m {\n  input a : 4x1\n  output q : 1\n  q = ne(pack(a), 4'd0)\n}\n")
	f.Simplify()
	require.Equal(t, "ne(concat(a[3], a[2], a[1], a[0]), 4'd0)", show(f, f.Ports[1].Nets[0]))
}
