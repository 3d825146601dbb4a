package semantics_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestMistakesAreFound: if an operator is replaced by another operator, a row of the table fails.
func TestMistakesAreFound(t *testing.T) {
	instead := map[ir.Op]ir.Op{
		ir.Add: ir.Sub, ir.Sub: ir.Add, ir.Mul: ir.And, ir.DivU: ir.Or, ir.ModU: ir.DivU, ir.And: ir.Or, ir.Or: ir.Xor, ir.Xor: ir.Or,
		ir.Eq: ir.Ne, ir.Ne: ir.Eq, ir.LtU: ir.LeU, ir.LeU: ir.LtU, ir.LtS: ir.LtU, ir.Shl: ir.ShrU, ir.ShrU: ir.ShrS, ir.ShrS: ir.ShrU,
		ir.RedAnd: ir.RedXor, ir.RedXor: ir.RedAnd, ir.ZExt: ir.SExt, ir.SExt: ir.ZExt,
	}
	x := expected(t)
	for op, other := range instead {
		d, err := hw.Elaborate(all{})
		require.NoError(t, err)
		exchange(d, op, other)
		s, err := interpreter(d, "")
		require.NoError(t, err)
		require.NotEmpty(t, x.mistakes(t, s, cycles), "%s in place of %s", other, op)
	}
}

// exchange replaces an operator by another operator in the whole design.
func exchange(d *ir.Design, op, other ir.Op) {
	visited := map[*ir.Expr]bool{}
	d.Top.Body.Walk(func(s *ir.Scope) {
		ir.WalkStmts(s.Stmts, func(st ir.Stmt) {
			for _, e := range st.Exprs() {
				ir.WalkExpr(e, visited, func(e *ir.Expr) {
					if e.Op == op {
						e.Op = other
					}
				})
			}
		})
	})
}

// TestReadBeyondTheDepth: the reference of a memory handles a read beyond the depth. All engines
// once handled this case wrongly.
func TestReadBeyondTheDepth(t *testing.T) {
	step := memory{depth: 10, width: 12, lanes: 1, port: true, on: hw.NewWord}.begin()
	write := func(to, from int64) *big.Int {
		num := big.NewInt
		return step(cycle{in: []*big.Int{num(1), num(to), num(0), num(0), num(77), num(0), num(0), num(1), num(from)}, tick: true})
	}
	write(9, 9)
	require.EqualValues(t, 77, write(12, 12).Int64())
	require.Zero(t, write(12, 12).Int64())
}
