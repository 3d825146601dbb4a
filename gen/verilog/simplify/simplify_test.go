package simplify_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/random"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// simplified returns a parsed or random design with simplified statements.
func simplified(d *ir.Design, powerUp bool) *ir.Design {
	for _, m := range d.Modules {
		for s, stmts := range simplify.Module(m, powerUp) {
			s.Stmts = stmts
		}
	}
	return d
}

var assigned = regexp.MustCompile(`(?m)^  q = (.*)$`)

// TestExpressions checks an example of each kind of rewriting.
func TestExpressions(t *testing.T) {
	for _, c := range []struct {
		width    int
		from, to string
	}{
		{4, "not(not(a))", "a"},
		{1, "not(eq(a, b))", "ne(a, b)"},
		{4, "add(4'd9, 4'd9)", "4'd2"},
		{4, "sub(a, 4'd0)", "a"},
		{4, "xor(a, a)", "4'd0"},
		{1, "and(c, 1'd1)", "c"},
		{1, "eq(c, 1'd0)", "not(c)"},
		{1, "eq(concat(3'd0, a), concat(3'd0, b))", "eq(a, b)"},
		{1, "ne(concat(a, 3'd5), concat(b, 3'd5))", "ne(a, b)"},
		{1, "eq(concat(a, 3'd5), concat(b, 3'd1))", "1'd0"},
		{1, "ne(concat(4'd3, a), zext:8(b))", "1'd1"},
		{1, "ne(concat(3'd0, a), 7'd5)", "ne(zext:7(a), 7'd5)"},
		{1, "leu(a, 4'd0)", "eq(a, 4'd0)"},
		{1, "ltu(a, 4'd15)", "ne(a, 4'd15)"},
		{4, "divu(a, 4'd0)", "4'd15"},
		{4, "shl(a, 4'd4)", "4'd0"},
		{4, "mux(not(c), a, b)", "mux(c, b, a)"},
		{1, "mux(c, 1'd1, d)", "or(c, d)"},
		{8, "concat(4'd1, concat(a, b)[7:4])", "concat(4'd1, a)"},
		{8, "concat(4'd0, a)", "zext:8(a)"},
		{4, "concat(a, b)[5:2]", "concat(a[1:0], b[3:2])"},
		{4, "zext:8(a)[7:4]", "4'd0"},
		{4, "unpack:2x4(concat(a, b))[1]", "a"},
		{1, "encode(concat(c, d))", "c"},
		{1, "redxor(zext:8(a))", "redxor(a)"},
		{4, "add(a, b)", "add(a, b)"},
	} {
		d, err := ir.Parse(c.from, fmt.Sprintf("module one {\n input a : 4\n input b : 4\n input c : 1\n input d : 1\n output q : %d\n q = %s\n}\n", c.width, c.from))
		require.NoError(t, err)
		require.Equal(t, c.to, assigned.FindStringSubmatch(simplified(d, false).String())[1], c.from)
	}
}

// TestStatements checks branches that are never taken. A memory loses its last write, and therefore
// another memory loses its write too, unless memories get contents at power-up.
func TestStatements(t *testing.T) {
	const head = `module statements clock {
  input a : 4
  input c : 1
  reg held : 4
  output q : 4
  mem first : 4x4
  mem second : 4x4
`
	for _, c := range []struct {
		powerUp bool
		want    string
	}{
		{false, "  held = held\n  q = held\n}\n"},
		{true, "  held = held\n  when ne(first[a[1:0]], 4'd0) {\n    second[a[1:0]] = a\n  }\n  q = add(held, second[a[1:0]])\n}\n"},
	} {
		d, err := ir.Parse("statements", head+`
  when xor(c, c) {
    first[a[1:0]] = a
    held = a
  }
  when ne(first[a[1:0]], 4'd0) {
    second[a[1:0]] = a
  }
  q = add(held, second[a[1:0]])
}
`)
		require.NoError(t, err)
		require.Equal(t, head+c.want, simplified(d, c.powerUp).String())
	}
}

// TestEquivalent runs random designs in lock-step with their simplified versions. It detects a
// result that is inverted afterwards.
func TestEquivalent(t *testing.T) {
	found := 0
	for seed := range uint64(60) {
		original := func() *ir.Design { return random.Random(seed, random.Varied(seed)) }
		require.NoError(t, compare(t, original(), simplified(original(), false)), "seed %d", seed)
		wrong := simplified(original(), false)
		for _, st := range wrong.Top.Body.Stmts {
			if a, ok := st.(*ir.Assign); ok && a.LHS.Sig.Kind == ir.Output && !a.RHS.Type.IsVec() {
				a.RHS = &ir.Expr{Op: ir.Not, Type: a.RHS.Type, Args: []*ir.Expr{a.RHS}}
				if compare(t, original(), wrong) != nil {
					found++
				}
				break
			}
		}
	}
	require.Greater(t, found, 20)
}

// compare returns the first difference between two designs with the same ports.
func compare(t *testing.T, x, y *ir.Design) error {
	a, err := interp.New(x)
	require.NoError(t, err)
	b, err := interp.New(y)
	require.NoError(t, err)
	l, err := sim.NewLockstep(x, sim.Engine{Name: "original", Simulator: a}, sim.Engine{Name: "simplified", Simulator: b})
	require.NoError(t, err)
	f := sim.NewFormat(l.Ports())
	return sim.Drive(l, sim.Random(f, 1), 60)
}
