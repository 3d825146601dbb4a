package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestOperatorsOfTheDocument: the table of ir-operators.md lists each operator of the IR once.
func TestOperatorsOfTheDocument(t *testing.T) {
	page, err := os.ReadFile("explanation/decisions/ir-operators.md")
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(page), "| operator | why it stays |\n|---|---|\n")
	require.True(t, ok)
	table, _, _ = strings.Cut(table, "\n\n")
	var got []string
	for _, line := range strings.Split(table, "\n") {
		names, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
		for _, name := range regexp.MustCompile("`(.+?)`").FindAllStringSubmatch(names, -1) {
			got = append(got, name[1])
		}
	}
	var want []string
	for op := ir.Const; op <= ir.Route; op++ {
		want = append(want, op.String())
	}
	require.ElementsMatch(t, want, got)
}

// TestOperatorsServeSeveralPackages: as ir-operators.md states, several packages use each lane
// operator except eqlanes.
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
	for _, op := range []ir.Op{ir.Select, ir.Lowest, ir.Encode, ir.PopCount, ir.Route} {
		require.Greater(t, len(users[op]), 1, "%s: %v", op, users[op])
	}
}
