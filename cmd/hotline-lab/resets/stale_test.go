package resets

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestNoStaleState checks that no stale state is observable after a reset.
func TestNoStaleState(t *testing.T) {
	found, err := stale(smallest(), func(*ir.Design) {}, staleEpisodes)
	require.NoError(t, err)
	require.Empty(t, found)
}

// given sets some valid bits of the address registers to constant 1, as if the addresses had been
// written since the reset.
func given(names ...string) func(*ir.Design) {
	return func(d *ir.Design) {
		for _, m := range d.Modules {
			ir.WalkStmts(m.Body.Stmts, func(s ir.Stmt) {
				a, ok := s.(*ir.Assign)
				if !ok || !strings.HasPrefix(m.Name, "address_registers") || !slices.Contains(names, a.LHS.Sig.Name) {
					return
				}
				ones := make([]uint64, ir.Words(a.RHS.Type.Width))
				for i := range a.RHS.Type.Width {
					ones[i/64] |= 1 << (i % 64)
				}
				a.RHS = &ir.Expr{Op: ir.Const, Type: a.RHS.Type, Val: ones, Pos: a.Pos}
			})
		}
	}
}

// TestStaleStateIsFound makes addresses survive a reset, as they did before each had a valid bit.
// The search reports the memory or the registers that contain them.
func TestStaleStateIsFound(t *testing.T) {
	for _, c := range []struct{ state, bits string }{
		{"dispatch.address_registers.table_bases", "given_tables"},
		{"dispatch.address_registers.hot_q", "given_hot_of"},
		{"dispatch.address_registers.grad_q", "given_grad"},
		{"lookup.engine", "given_slots"},
	} {
		found, err := stale(smallest(), given(c.bits), 40)
		require.NoError(t, err)
		require.Contains(t, strings.Join(found, "\n"), c.state)
	}
}
