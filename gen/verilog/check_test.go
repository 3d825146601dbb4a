package verilog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// marked has a wire in a loop.
type marked struct{}

func (marked) Build(m *hw.Module) ports {
	var io ports
	a, q := m.InVec("a", 2, 4), m.OutVec("q", 2, 4)
	m.For("lane", 2, func(i hw.Index) {
		x := m.Wire("x", 4)
		x.Set(a.At(i).Inc())
		q.At(i).Set(x.Mul(x))
	})
	io.out(m, "sum", a.N(0).Add(a.N(1)))
	return io
}

// TestNoWrongText: designs that elaboration would reject give an error instead of text that tools
// would misinterpret.
func TestNoWrongText(t *testing.T) {
	lane := func(d *ir.Design) *ir.Scope { return d.Top.Body.Fors[0].Body }
	for _, c := range []struct {
		name   string
		damage func(d *ir.Design)
		want   string
	}{
		{"no name", func(d *ir.Design) { lane(d).Signals[0].Name = "" }, `^verilog: check_test.go:20.*: marked: "" is not a name in Verilog$`},
		{"a number", func(d *ir.Design) { lane(d).Signals[0].Name = "2nd" }, `check_test.go:20.*: marked: "2nd" is not a name`},
		{"a keyword", func(d *ir.Design) { d.Top.Ports[1].Name = "begin" }, `check_test.go:18.*: marked: "begin" is not a name`},
		{"of the module", func(d *ir.Design) { d.Top.Name = "a b" }, `a b: "a b" is not a name`},
		{"of the loop", func(d *ir.Design) { d.Top.Body.Fors[0].Name = "end" }, `marked: "end" is not a name`},
		{"twice", func(d *ir.Design) { lane(d).Signals[0].Name = "a" }, `check_test.go:20.*: marked: "a" is declared twice`},
		{"out of the loop", func(d *ir.Design) {
			x := lane(d).Signals[0]
			sum := d.Top.Body.Stmts[len(d.Top.Body.Stmts)-1].(*ir.Assign)
			sum.RHS = &ir.Expr{Op: ir.Ref, Type: x.Type, Sig: x}
		}, `check_test.go:20.*: marked: "x" is used where it is not declared`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := hw.Elaborate(marked{})
			require.NoError(t, err)
			_, err = verilog.Generate(d)
			require.NoError(t, err)
			c.damage(d)
			_, err = verilog.Generate(d)
			require.Error(t, err)
			require.Regexp(t, c.want, err.Error())
		})
	}
}
