package docs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// As rationale.md says, each operator beyond arithmetic but eqlanes serves several packages.
func TestOperatorsServeSeveralPackages(t *testing.T) {
	d, err := hw.Elaborate(top.Hotline{Params: arch.Small()})
	require.NoError(t, err)
	users, visited := map[ir.Op]map[string]bool{}, map[*ir.Expr]bool{}
	note := func(e *ir.Expr) {
		if users[e.Op] == nil {
			users[e.Op] = map[string]bool{}
		}
		if at := e.Pos.Frames(); len(at) > 0 {
			users[e.Op][at[0].Package] = true
		}
	}
	for _, m := range d.Modules {
		m.Body.Walk(func(s *ir.Scope) {
			ir.WalkStmts(s.Stmts, func(st ir.Stmt) {
				for _, e := range st.Exprs() {
					ir.WalkExpr(e, visited, note)
				}
			})
		})
	}
	for _, op := range []ir.Op{ir.Select, ir.Lowest, ir.Encode, ir.Decode, ir.PopCount, ir.Route} {
		require.Greater(t, len(users[op]), 1, "%s: %v", op, users[op])
	}
}
