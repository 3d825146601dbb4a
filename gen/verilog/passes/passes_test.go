package passes

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/build"
	"github.com/hotline-rtl/hotline/gen/verilog/plan"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/random"
)

var update = flag.Bool("update", false, "write what the passes do into testdata")

// trees returns the syntax trees of a design before the passes.
func trees(d *ir.Design) (out []*syntax.Module) {
	paths := map[*ir.Module]plan.Paths{}
	for _, m := range d.Modules {
		p := plan.New(m, paths, false)
		paths[m] = p.CombPaths()
		if m.Extern == nil {
			out = append(out, build.Module(p, build.Options{Parameter: func(*ir.Module) bool { return false }}))
		}
	}
	return out
}

// TestOrder: every pass follows the passes that it needs.
func TestOrder(t *testing.T) {
	require.Empty(t, misplaced(table))
	require.Equal(t, []string{"unused before hide"}, misplaced([]pass{{name: "merge"}, {name: "unused", after: []string{"hide"}}, {name: "hide"}}))
}

// misplaced returns the passes that precede a pass that they need.
func misplaced(list []pass) (out []string) {
	done := map[string]bool{}
	for _, p := range list {
		for _, needed := range p.after {
			if !done[needed] {
				out = append(out, p.name+" before "+needed)
			}
		}
		done[p.name] = true
	}
	return out
}

// TestPasses compares the effect of each pass on a small design with a file, which contains the
// design and the text of its top before and after the pass.
func TestPasses(t *testing.T) {
	const before, after = "\n-- before --\n", "\n-- after --\n"
	for _, p := range table {
		t.Run(p.name, func(t *testing.T) {
			name := filepath.Join("testdata", p.name+".txt")
			want, err := os.ReadFile(name)
			require.NoError(t, err)
			design, _, _ := strings.Cut(string(want), before)
			d, err := ir.Parse(name, design)
			require.NoError(t, err)
			all := trees(d)
			top := all[len(all)-1]
			last, got := top.Text(), ""
			Run(top, func(done string) {
				text := top.Text()
				if done == p.name {
					require.NotEqual(t, last, text)
					got = design + before + last + after + text
				}
				last = text
			})
			if *update {
				require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
				return
			}
			require.Equal(t, string(want), got, "go test ./gen/verilog/passes -run TestPasses -update accepts it")
		})
	}
}

// TestCheckHolds checks random designs after each pass. The check detects a pass that removes a
// declaration.
func TestCheckHolds(t *testing.T) {
	removed := 0
	for seed := range uint64(60) {
		for _, m := range trees(random.Random(seed, random.Varied(seed))) {
			require.Empty(t, m.Check(), "seed %d, before", seed)
			Run(m, func(done string) { require.Empty(t, m.Check(), "seed %d, after %s", seed, done) })
			if _, declares := m.Items[0].(*syntax.DeclItem); declares {
				m.Items = m.Items[1:]
				removed += min(1, len(m.Check()))
			}
		}
	}
	require.Greater(t, removed, 20)
}
