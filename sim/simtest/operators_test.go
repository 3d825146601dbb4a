package simtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// TestOperatorsAreAll: Operators contains every operator except memory reads and loop variables.
func TestOperatorsAreAll(t *testing.T) {
	d, err := hw.Elaborate(simtest.Operators{Width: 65, Len: 3, Amount: 8})
	require.NoError(t, err)
	has, visited := map[ir.Op]bool{}, map[*ir.Expr]bool{}
	ir.WalkStmts(d.Top.Body.Stmts, func(s ir.Stmt) {
		for _, e := range s.Exprs() {
			ir.WalkExpr(e, visited, func(e *ir.Expr) { has[e.Op] = true })
		}
	})
	for op := ir.Const; op <= ir.Route; op++ {
		require.Equal(t, op != ir.MemRead && op != ir.LoopConst, has[op], "%s", op)
	}
}
