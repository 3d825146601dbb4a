package params_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/params"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// variants returns a module that compares two numbers, for the parameters 16, 32 and 53 of
// probes and 3 of a design. The width of q and the constant that is added to it vary.
func variants(width func(n int) int, constant func(n int) uint64) (out []params.Variant) {
	for _, n := range []int{16, 32, 53, 3} {
		a := &syntax.Object{Name: "a", Kind: syntax.Input, Width: n}
		q := &syntax.Object{Name: "q", Kind: syntax.Output, Width: width(n)}
		sum := &syntax.Binary{Op: "+", X: &syntax.Ident{Obj: a}, Y: &syntax.Number{Width: n, Val: []uint64{constant(n)}}}
		out = append(out, params.Variant{
			Module: &ir.Module{Name: "wide", Generic: &ir.Generic{Name: "sum", Param: "WIDTH", Value: n, Probe: n != 3}},
			Tree: &syntax.Module{Name: "sum", Ports: []*syntax.Object{a, q}, Items: []syntax.Item{
				&syntax.AssignItem{Lhs: &syntax.Ident{Obj: q}, Rhs: sum},
			}},
		})
	}
	return out
}

// TestFind checks sizes that follow from the parameter, and sizes that do not.
func TestFind(t *testing.T) {
	five := func(int) uint64 { return 5 }
	two := func(int) uint64 { return 2 }
	twice := func(n int) int { return 2*n + 1 }

	list := variants(twice, two)
	tree, fits, err := params.Find(list)
	require.NoError(t, err)
	require.Len(t, fits, 4)
	require.True(t, fits[list[3].Module])
	require.Equal(t, 2*syntax.PerParam+1, tree.Ports[1].Width)
	tree.Param = &syntax.Parameter{Name: "WIDTH", Value: 3}
	require.Contains(t, tree.Text(), "assign q = a + {{(WIDTH-2){1'b0}}, 2'd2};")

	list = variants(twice, five) // which fills 3 bits
	_, fits, err = params.Find(list)
	require.NoError(t, err)
	require.Equal(t, []bool{true, false}, []bool{fits[list[0].Module], fits[list[3].Module]})

	tree, fits, err = params.Find(list[1:]) // has two probes
	require.NoError(t, err)
	require.Nil(t, tree)
	require.Empty(t, fits)

	for want, list := range map[string][]params.Variant{
		`for 16 there is "output wire [255:0] q", for 53 "output wire [2808:0] q"`:  variants(func(n int) int { return n * n }, five),
		`for 16 there is "assign q = a + 16'd16;", for 32 "assign q = a + 32'd32;"`: variants(twice, func(n int) uint64 { return uint64(n) }),
	} {
		_, _, err := params.Find(list)
		require.ErrorContains(t, err, want)
	}
}
