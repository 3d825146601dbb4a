package syntax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
)

// sized returns a module whose sizes follow from a parameter.
func sized() *syntax.Module {
	const width = syntax.PerParam
	a := &syntax.Object{Name: "a", Kind: syntax.Input, Width: width}
	q := &syntax.Object{Name: "q", Kind: syntax.Output, Width: 2*width + 1, Comment: "twice a"}
	lane := &syntax.LoopVar{Name: "i", N: width - 1}
	same := &syntax.Object{Name: "same", Kind: syntax.Wire, Width: 1, Loops: []*syntax.LoopVar{lane}}
	bit := func(at syntax.Affine) syntax.Expr {
		return &syntax.Part{Obj: a, Elem: at, Size: 1, Width: 1}
	}
	next := lane.Times(1).Plus(syntax.Affine{Const: 1})
	return &syntax.Module{
		Header: []string{"sized"}, Name: "sized", Param: &syntax.Parameter{Name: "WIDTH", Value: 8},
		Ports: []*syntax.Object{a, q},
		Items: []syntax.Item{
			&syntax.AssignItem{Lhs: &syntax.Ident{Obj: q}, Rhs: &syntax.Concat{Parts: []syntax.Expr{
				syntax.Zeros(1), &syntax.Repeat{N: 2, X: &syntax.Ident{Obj: a}},
			}}},
			&syntax.GenerateItem{Var: lane, Label: "lane", Body: []syntax.Item{
				&syntax.DeclItem{Obj: same, Init: &syntax.Binary{Op: "==", X: bit(lane.Times(1)), Y: bit(next)}},
			}},
		},
	}
}

// TestText: sizes are printed in terms of the parameter.
func TestText(t *testing.T) {
	require.Equal(t, `// sized

`+"`default_nettype none"+`

module sized #(
  parameter WIDTH = 8
) (
  input  wire [WIDTH-1:0] a,
  output wire [2*WIDTH:0] q // twice a
);
  assign q = {1'b0, {2{a}}};

  genvar i;
  generate
    for (i = 0; i < WIDTH-1; i = i + 1) begin : lane
      wire same = (a[i] == a[i + 1]);
    end
  endgenerate
endmodule

`+"`default_nettype wire\n", sized().Text())
}

// TestCheck: Check detects each kind of damage to a legal module.
func TestCheck(t *testing.T) {
	require.Empty(t, sized().Check())
	for _, c := range []struct {
		damage func(m *syntax.Module)
		want   string
	}{
		{func(m *syntax.Module) { m.Ports[0].Name = "wire" }, `"wire" is not a name in Verilog`},
		{func(m *syntax.Module) { m.Ports[0].Name = "q" }, `"q" is declared twice`},
		{func(m *syntax.Module) { m.Ports = m.Ports[1:] }, `"a" is used where it is not declared`},
		{func(m *syntax.Module) {
			inner := m.Items[1].(*syntax.GenerateItem).Body[0].(*syntax.DeclItem).Obj
			m.Items = append(m.Items, &syntax.DeclItem{Obj: &syntax.Object{Name: "z"}, Init: &syntax.Ident{Obj: inner}})
		}, `"same" is used where it is not declared`},
	} {
		m := sized()
		c.damage(m)
		errs := m.Check()
		require.Len(t, errs, 1)
		require.ErrorContains(t, errs[0], c.want)
	}
}

// TestFresh: Fresh never returns the same name twice, nor a keyword.
func TestFresh(t *testing.T) {
	n := syntax.NewNames()
	n.Take("sum_2")
	require.Equal(t, []string{"sum", "sum_3", "reg_2"}, []string{n.Fresh("sum"), n.Fresh("sum"), n.Fresh("reg")})
}

// TestParentheses: there are parentheses where precedence or the reader needs them, and nowhere
// else.
func TestParentheses(t *testing.T) {
	a, b, c := ident("a"), ident("b"), ident("c")
	op := func(op string, x, y syntax.Expr) syntax.Expr { return &syntax.Binary{Op: op, X: x, Y: y} }
	for want, x := range map[string]syntax.Expr{
		"a + b + c":                op("+", op("+", a, b), c),
		"a - (b - c)":              op("-", a, op("-", b, c)),
		"a - b - c":                op("-", op("-", a, b), c),
		"(a < b) / c":              op("/", op("<", a, b), c),
		"a + b < c":                op("<", op("+", a, b), c),
		"a == b && c":              op("&&", op("==", a, b), c),
		"(a & b) == c":             op("==", op("&", a, b), c),
		"~(a | b)":                 &syntax.Unary{Op: "~", X: op("|", a, b)},
		"(a == b) ? a : b ? c : a": &syntax.Ternary{Cond: op("==", a, b), Yes: a, No: &syntax.Ternary{Cond: b, Yes: c, No: a}},
	} {
		require.Equal(t, want, syntax.ExprText(x))
	}
}

func ident(name string) syntax.Expr { return &syntax.Ident{Obj: &syntax.Object{Name: name, Width: 4}} }
