package ir_test

import (
	"fmt"
	"go/build"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	root   = "../.."
	module = "github.com/hotline-rtl/hotline"
)

// layers say what the packages in and below a folder may import of this module:
// a package, or with dots also those below it.
var layers = []struct {
	folder string
	may    []string
}{ // the first folder that fits counts
	{"hw/ir/net", []string{"hw/ir"}},
	{"hw/ir/flat", []string{"hw/ir", "hw/ir/net"}},
	{"hw/ir/late", []string{"hw/ir"}},
	{"hw/ir/irgen", []string{"hw/ir"}},
	{"hw/ir", nil},
	{"hw/lib", []string{"hw", "hw/enum", "hw/regmap", "hw/ir/...", "hw/lib/..."}},
	{"hw/hotline/arch", []string{"hw/enum", "hw/regmap"}},
	{"hw/hotline/randomizer", []string{"hw"}},
	{"hw/hotline/eal", []string{"hw", "hw/enum", "hw/lib/...", "hw/hotline/arch"}},
	{"hw/hotline/dma", []string{"hw", "hw/enum", "hw/lib/...", "hw/hotline/arch"}},
	{"hw/hotline/lookup", []string{"hw", "hw/lib/...", "hw/hotline/arch", "hw/hotline/randomizer", "hw/hotline/eal"}},
	{"hw/hotline/reduce", []string{"hw", "hw/enum", "hw/lib/...", "hw/hotline/arch", "hw/hotline/dma"}},
	{"hw/hotline/dispatch/sizes", []string{"hw", "hw/hotline/arch"}},
	{"hw/hotline/dispatch/address", []string{"hw", "hw/lib/...", "hw/hotline/arch", "hw/hotline/dispatch/sizes"}},
	{"hw/hotline/dispatch/input", []string{"hw", "hw/lib/...", "hw/hotline/arch", "hw/hotline/lookup", "hw/hotline/dma", "hw/hotline/dispatch/sizes"}},
	{"hw/hotline/dispatch", []string{"hw", "hw/lib/...", "hw/hotline/arch", "hw/hotline/dispatch/...", "hw/hotline/randomizer", "hw/hotline/eal", "hw/hotline/lookup", "hw/hotline/dma", "hw/hotline/reduce"}},
	{"hw/hotline/isa", []string{"hw", "hw/regmap", "hw/lib/...", "hw/hotline/arch", "hw/hotline/dispatch", "hw/hotline/dma"}},
	{"hw/hotline/model", []string{"hw/hotline/..."}},
	{"hw/hotline", []string{"hw", "hw/lib/...", "hw/hotline/..."}},
	{"configs", []string{"hw/hotline/arch", "host/..."}},
	{"hw/enum", nil},
	{"hw/internal/snake", nil},
	{"hw/regmap", []string{"hw/enum", "hw/internal/snake"}},
	{"hw", []string{"hw/enum", "hw/internal/snake", "hw/ir/..."}},
	{"gen/gosim/guard", nil},
	{"gen/gosim/kernel", nil},
	{"gen/gosim/code", nil},
	{"gen/gosim/names", []string{"gen/gosim/plan"}},
	{"gen/gosim/lower", []string{"gen/gosim/plan", "gen/gosim/kernel", "gen/gosim/names", "hw/ir"}},
	{"gen/gosim", []string{"gen/...", "hw/ir/...", "sim/outfile", "sim"}}, // whose interfaces models implement
	{"gen/cheader", []string{"hw/regmap", "hw/hotline/arch", "host/pcie/config"}},
	{"gen", []string{"gen/...", "hw/ir/...", "sim/outfile", "sim/tools"}},
	{"sim/bv", nil},
	{"sim/wave", nil},
	{"sim/outfile", nil},
	{"sim/builds", []string{"sim/outfile"}},
	{"sim", []string{"sim/...", "gen/...", "hw", "hw/ir/..."}}, // hw for the records that Bind fills
	{"host/driver", []string{"host/driver/...", "hw/hotline/arch"}},
	{"host/accel", []string{"host/...", "hw/hotline/..."}},
	{"host/asm", []string{"host/...", "hw/hotline/arch"}},
	{"host/trace", []string{"host/...", "hw/hotline/arch"}},
	{"host/experiment", []string{"host/...", "sim/...", "configs", "hw/hotline/arch"}},
	{"host/train/papers", []string{"host/...", "hw/hotline/...", "sim/outfile"}},
	{"host", []string{"host/...", "sim/...", "configs", "hw/hotline/arch"}},
	{"cmd/hotline-lab/randomcommands/oracle", []string{"cmd/hotline-lab/randomcommands/shell", "hw/hotline/arch"}}, // independent of all models
	{"cmd/hotline-lab/randomcommands/shell", []string{"hw/hotline/arch", "sim"}},
}

// ownOnly are folders whose packages import the standard library and this module
// alone, so that a user's own design needs nothing else.
var ownOnly = []string{"hw", "gen", "sim"}

// testingOnly are packages for the tests of their layer. They may look further,
// and only tests and each other may import them.
var testingOnly = map[string][]string{
	"hw/ir/irgen":                      {"hw"},
	"gen/verilog/verilogtest":          nil,
	"gen/formal":                       nil,
	"hw/lib/bench":                     {"sim/..."},
	"hw/hotline/dispatch/dispatchtest": {"hw/ir"},
	"hw/hotline/wrap/wraptest":         {"host/driver", "hw/ir", "sim"},
	"sim/simtest":                      {"hw"},
	"sim/hwtest":                       {"hw", "hw/lib/bench", "gen/verilog/verilogtest"},
	"cmd/hotline-lab/randomdesigns":    {"sim/...", "gen/..."},
	"cmd/hotline-lab":                  {}, // its verb runs them
}

func below(folder, pkg string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }

// forbidden says why package from may not import package to, or "".
func forbidden(from, to string) string {
	if _, ok := testingOnly[to]; ok && testingOnly[from] == nil {
		return "it is for tests"
	}
	for _, l := range layers {
		if !below(l.folder, from) {
			continue
		}
		for _, m := range slices.Concat(l.may, testingOnly[from]) {
			if m == to || strings.HasSuffix(m, "/...") && below(strings.TrimSuffix(m, "/..."), to) {
				return ""
			}
		}
		return fmt.Sprintf("packages of %s may import %v", l.folder, l.may)
	}
	return ""
}

// foreign tells whether an import path is of another module.
func foreign(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".") && !below(module, path)
}

// Imports point one way: hw/ir <- hw <- hw/lib <- hw/hotline; gen and sim know
// ir, host knows sim.
func TestImports(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); path != root && (strings.HasPrefix(name, ".") || name == "testdata") {
			return filepath.SkipDir
		}
		p, err := build.ImportDir(path, 0)
		if err != nil { // no Go files here
			return nil
		}
		rel, err := filepath.Rel(root, path)
		require.NoError(t, err)
		from := filepath.ToSlash(rel)
		seen[from] = true
		for _, i := range p.Imports {
			if slices.ContainsFunc(ownOnly, func(folder string) bool { return below(folder, from) }) {
				require.True(t, from == "hw/ir/irgen" || !foreign(i), "%s imports %s", from, i)
			}
			if to, ours := strings.CutPrefix(i, module+"/"); ours {
				require.Empty(t, forbidden(from, to), "%s imports %s", from, to)
			}
		}
		return nil
	})
	require.NoError(t, err)
	for _, l := range layers {
		require.True(t, slices.ContainsFunc(keys(seen), func(p string) bool { return below(l.folder, p) }), "no package in %s", l.folder)
	}
	for p := range testingOnly {
		require.True(t, seen[p], "no package %s", p)
	}
}

func keys(m map[string]bool) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	return out
}

func TestForbidden(t *testing.T) {
	for _, c := range [][2]string{
		{"hw/ir", "hw"}, {"hw/ir/net", "hw/lib/fifo"}, {"hw", "hw/lib/fifo"}, {"hw", "sim"}, {"hw/lib/fifo", "hw/hotline/eal"},
		{"hw/lib/fifo", "sim/interp"}, {"hw/hotline/randomizer", "hw/lib/fifo"}, {"hw/hotline/arch", "hw"}, {"hw/hotline/dispatch/address", "hw/hotline/dispatch"}, {"hw/hotline/dispatch/input", "hw/hotline/dispatch/memory"}, {"hw/hotline/dispatch", "hw/hotline/dispatch/dispatchtest"}, {"hw/hotline/dma", "hw/hotline/isa"}, {"hw/hotline/isa", "hw/hotline/model"}, {"hw/hotline/model", "hw"}, {"configs", "sim"}, {"hw/hotline/eal", "gen"}, {"gen", "hw"}, {"gen/verilog", "hw/lib/fifo"}, {"gen", "sim"},
		{"sim", "hw/lib/fifo"}, {"sim/interp", "hw/hotline/top"}, {"host/driver", "hw/hotline/dma"}, {"host", "gen"},
		{"hw/ir", "hw/ir/net"}, {"hw/ir/net", "hw/ir/flat"}, {"sim/bv", "hw/ir"}, {"sim/wave", "sim/bv"}, {"sim/builds", "sim"},
		{"sim/outfile", "hw/ir"}, {"hw", "sim/outfile"}, {"sim/interp", "hw/ir/irgen"}, {"hw/lib/fifo", "hw/lib/bench"}, {"cmd/hotline", "sim/simtest"},
		{"cmd/hotline-lab/randomcommands/oracle", "hw/hotline/model"}, {"cmd/hotline-lab/randomcommands/oracle", "cmd/hotline-lab/randomcommands/trial"},
	} {
		require.NotEmpty(t, forbidden(c[0], c[1]), "%s imports %s", c[0], c[1])
	}
	for _, c := range [][2]string{
		{"hw/ir/flat", "hw/ir/net"}, {"hw", "hw/ir/flat"}, {"hw/hotline/isa", "hw/hotline/dispatch"}, {"hw/hotline/top", "hw/lib/axil"}, {"gen", "gen/verilog"},
		{"sim/cosim", "gen/verilog"}, {"host/experiment", "sim"}, {"cmd/hotline", "hw/hotline/top"}, {"hw/ir/irgen", "hw"},
	} {
		require.Empty(t, forbidden(c[0], c[1]), "%s imports %s", c[0], c[1])
	}
	require.True(t, foreign("golang.org/x/term"))
	require.False(t, foreign("encoding/json"))
	require.False(t, foreign(module+"/hw"))
}
