package lookup

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	trial "github.com/hotline-rtl/hotline/sim/bench"
)

// tiny keeps the runs of faulty designs short. Its window is large enough for stalls.
var tiny = sized(func(p *arch.Params) {
	p.Engines, p.Banks, p.Blocks, p.Window, p.Cache, p.EDRAMWords, p.Slots = 4, 4, 256, 32, 8, 4*2*150, 4
})

// TestBrokenLookupsAreNoticed replaces operators one after the other. The comparisons must detect
// each replacement that changes the results.
func TestBrokenLookupsAreNoticed(t *testing.T) {
	harmless := map[string]bool{
		"lookup_results: and": true, // reads more often than requested
		"lookup_cache: eq":    true, // swaps the two ways
		"lookup_cache: ne":    true, // swaps the two ways, at turn
	}
	total, missed := 0, []string{}
	for {
		d, err := hw.Elaborate(Of(tiny))
		require.NoError(t, err)
		what := breakOperator(d, "lookup", total)
		if what == "" {
			break
		}
		total++
		if caught(func() error { return compare(trial.Trial{TB: t}, d, tiny, 500, 1) }) != nil {
			continue
		}
		if strings.HasPrefix(what, "lookup_cache") && caught(func() error { return compareCache(t, alone(d), tiny) }) != nil {
			continue
		}
		if name, _, _ := strings.Cut(what, " at "); harmless[name] {
			delete(harmless, name)
			continue
		}
		missed = append(missed, what)
	}
	require.Empty(t, missed)
	require.Greater(t, total, 50)
}

// alone returns the cache of d as a design of its own.
func alone(d *ir.Design) *ir.Design {
	for i, m := range d.Modules {
		if block(m.Name) == "lookup_cache" {
			return &ir.Design{Top: m, Modules: d.Modules[:i+1]}
		}
	}
	panic("no cache")
}

var parameters = regexp.MustCompile(`(_[a-z]+[0-9]+)+$`)

// block returns the name of a module without its parameters.
func block(module string) string { return parameters.ReplaceAllString(module, "") }

// caught runs f and converts a panic, such as an index out of range, into an error.
func caught(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return f()
}

var exchange = map[ir.Op]ir.Op{ir.And: ir.Or, ir.Or: ir.And, ir.Eq: ir.Ne, ir.Ne: ir.Eq, ir.Add: ir.Sub, ir.Xor: ir.And}

// breakOperator replaces the k-th operator of the lookup modules. It returns a description, or ""
// if there is no such operator.
func breakOperator(d *ir.Design, prefix string, k int) (what string) {
	for _, m := range d.Modules {
		if !strings.HasPrefix(m.Name, prefix) {
			continue
		}
		seen := map[*ir.Expr]bool{}
		m.Body.Walk(func(s *ir.Scope) {
			ir.WalkStmts(s.Stmts, func(st ir.Stmt) {
				for _, e := range st.Exprs() {
					ir.WalkExpr(e, seen, func(e *ir.Expr) {
						other, ok := exchange[e.Op]
						if e.Op != ir.Mux && !ok || e.Type.IsVec() {
							return
						}
						if k == 0 {
							what = fmt.Sprintf("%s: %s at %s", block(m.Name), e.Op, e.Pos)
							if ok {
								e.Op = other
							} else {
								e.Args[1], e.Args[2] = e.Args[2], e.Args[1]
							}
						}
						k--
					})
				}
			})
		})
	}
	return what
}
