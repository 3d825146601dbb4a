package cmd_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

const module = "github.com/hotline-rtl/hotline/"

// rooms lists the rooms (layers of packages) of the project, lowest first. A package belongs to the
// room with the longest matching path. Its imports must be in its own room or in a lower room.
var rooms = []string{
	"hw/ir",
	"hw",
	"hw/lib",
	"gen",
	"sim",
	"hw/hotline",
	"host/des",
	"host/ui",
	"host/pcie",
	"host/device",
	"host/dlrm",
	"host/train",
	"configs",
	"host/study",
	"examples",
	"cmd",
	"scripts",
	"tb",
	"verilog",
	"docs", // so that no program reads a document
}

// walls lists packages whose independence is guaranteed, and everything that they may import from
// this module. A trailing /... includes the packages below. The first matching entry counts.
var walls = []struct {
	packages string
	imports  []string
}{
	{"hw/ir/drivers", []string{"hw/ir"}},
	{"hw/ir/netlist", []string{"hw/ir", "hw/ir/drivers"}},
	{"hw/ir/late", []string{"hw/ir"}},
	{"hw/ir", nil},
	{"hw/enum", nil},
	{"hw/limits", nil},
	{"hw/internal/snake", nil},
	{"hw/regmap", []string{"hw/enum", "hw/internal/snake"}},

	{"gen/gosim/guard", nil},
	{"gen/gosim/kernel", nil},
	{"gen/gosim/kernel/...", []string{"gen/gosim/kernel"}}, // no target knows another
	{"gen/gosim/code", nil},
	{"gen/gosim/names", []string{"gen/gosim/plan"}},
	{"gen/gosim/lower", []string{"gen/gosim/plan", "gen/gosim/kernel", "gen/gosim/names", "hw/ir"}},
	{"gen/gosim/cycle", []string{"gen/gosim/plan", "gen/gosim/kernel", "gen/gosim/lower", "gen/gosim/names", "hw/ir"}},
	{"gen/gosim/storage", []string{"gen/gosim/plan", "gen/gosim/names", "gen/gosim/code", "hw/ir"}},
	{"gen/gosim/expr", []string{"gen/gosim/plan", "gen/gosim/code", "gen/gosim/storage", "hw/ir"}},
	{"gen/gosim/funcs", []string{"gen/gosim/plan", "gen/gosim/names", "gen/gosim/code", "gen/gosim/storage", "gen/gosim/expr", "gen/gosim/kernel/...", "gen/gosim/lower", "gen/gosim/guard", "hw/ir"}},
	{"gen/verilog/syntax", []string{"hw/ir"}},
	{"gen/verilog/simplify", []string{"hw/ir"}},
	{"gen/verilog/plan", []string{"gen/verilog/simplify", "hw/ir"}},
	{"gen/verilog/build", []string{"gen/verilog/plan", "gen/verilog/simplify", "gen/verilog/syntax", "hw/ir"}},
	{"gen/verilog/passes", []string{"gen/verilog/syntax", "hw/ir"}},
	{"gen/verilog/params", []string{"gen/verilog/syntax", "hw/ir"}},
	{"gen/...", []string{"gen/...", "hw/ir/..."}}, // generators depend on the IR, not on the language
	{"sim/bv", nil},
	{"sim/wave", nil},
	{"gen/buildcache", []string{"gen/outfile"}},
	{"sim/...", []string{"sim/...", "gen/...", "hw", "hw/ir/..."}}, // engines do not depend on a design

	// A block depends only on the blocks that it contains or is connected to.
	{"hw/hotline/arch", []string{"hw/enum", "hw/limits", "hw/regmap"}},
	{"hw/hotline/randomizer", []string{"hw"}},
	{"hw/hotline/eal", []string{"hw", "hw/enum", "hw/lib/...", "hw/hotline/arch"}},
	{"hw/hotline/dma", []string{"hw", "hw/enum", "hw/lib/...", "hw/hotline/arch"}},
	{"hw/hotline/lookup", []string{"hw", "hw/lib/...", "hw/hotline/arch", "hw/hotline/randomizer", "hw/hotline/eal"}},
	{"hw/hotline/reduce", []string{"hw", "hw/enum", "hw/lib/...", "hw/hotline/arch", "hw/hotline/dma"}},
	{"hw/hotline/dispatch/sizes", []string{"hw", "hw/hotline/arch"}},
	{"hw/hotline/dispatch/address", []string{"hw", "hw/lib/...", "hw/hotline/arch", "hw/hotline/dispatch/sizes"}},
	{"hw/hotline/dispatch/input", []string{"hw", "hw/lib/...", "hw/hotline/arch", "hw/hotline/lookup", "hw/hotline/dma", "hw/hotline/dispatch/sizes"}},
	{"hw/hotline/dispatch/...", []string{"hw", "hw/ir", "hw/lib/...", "hw/hotline/arch", "hw/hotline/dispatch/...", "hw/hotline/randomizer", "hw/hotline/eal", "hw/hotline/lookup", "hw/hotline/dma", "hw/hotline/reduce"}},
	{"hw/hotline/isa", []string{"hw", "hw/regmap", "hw/lib/...", "hw/hotline/arch", "hw/hotline/dispatch", "hw/hotline/dma"}},
	{"hw/hotline/model", []string{"hw/hotline/..."}},
	{"hw/hotline/models/...", []string{"hw", "hw/ir", "hw/hotline/...", "gen/gosim", "sim/..."}},
	{"hw/hotline/...", []string{"hw", "hw/lib/...", "hw/hotline/..."}},

	// Drivers depend only on the formats of the hardware.
	{"host/device/driver", []string{"hw/hotline/arch"}},
	{"host/device/driver/...", []string{"hw/hotline/arch", "host/device/driver"}},
	{"host/device/vfio", []string{"host/device/driver"}},
	{"host/device/vfiouser", nil},
	{"host/des", nil},
	{"host/pcie", nil},
	{"host/pcie/config", nil},
	{"host/pcie/dll", []string{"host/pcie"}},
	{"host/ui/table", nil},
	{"host/ui/picture", nil},
	{"host/dlrm/detmath", nil},
	{"host/dlrm/kernel", nil},
	{"host/dlrm/exact", []string{"host/dlrm/kernel"}},
	{"host/dlrm", []string{"host/dlrm/..."}},
	{"host/train/catalog", []string{"host/train/..."}},

	// The oracle is independent of every model that it judges.
	{"cmd/hotline-lab/randomcommands/oracle", []string{"cmd/hotline-lab/randomcommands/shell", "hw/hotline/arch"}},
	{"cmd/hotline-lab/randomcommands/shell", []string{"hw/hotline/arch", "sim"}},
}

// testOnly lists the packages that only tests and the listed packages may import.
var testOnly = []string{
	"hw/random", "gen/formal", "gen/tools", "gen/verilog/verilogtest", "sim/bench", "sim/simtest", "sim/hwtest", "sim/yosys", "sim/yosys/yosystest",
	"hw/hotline/dispatch/dispatchtest", "host/device/driver/conformance", "host/pcie/pcietest", "host/dlrm/data/datatest",
	"host/study/report/reporttest", "host/train/systemtest", "host/train/timing/timingtest", "host/device/vfiouser/client",
}

// sole lists packages of the standard library that this project wraps, and the packages that may
// import them.
var sole = map[string][]string{
	// The checksums of ring entries and of packets on a link. The oracle has its own
	// implementation; the last package names files.
	"hash/crc32": {"hw/hotline/arch", "host/pcie", "cmd/hotline-lab/randomcommands/oracle", "cmd/hotline-lab/fidelity"},
}

// ownOnly lists the rooms that may import only this module and the standard library, so that a
// user's own design needs nothing else.
var ownOnly = []string{"hw/ir", "hw", "hw/lib", "gen", "sim", "hw/hotline"}

// TestRooms checks every import of the project's Go files, except tests.
func TestRooms(t *testing.T) {
	found, seen, err := violations(os.DirFS(".."))
	require.NoError(t, err)
	require.Empty(t, strings.Join(found, "\n"))
	for _, room := range rooms {
		require.True(t, slices.ContainsFunc(seen, func(p string) bool { return matches(room+"/...", p) }), "no package in room %s", room)
	}
	for _, w := range walls {
		require.True(t, slices.ContainsFunc(seen, func(p string) bool { return matches(w.packages, p) }), "no package %s", w.packages)
	}
	for _, p := range testOnly {
		require.Contains(t, seen, p)
	}
}

// violations returns a line for each forbidden import, and the directories of all packages.
func violations(tree fs.FS) (found, seen []string, err error) {
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); name != "." && (strings.HasPrefix(base, ".") || base == "testdata") {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		from := path.Dir(name)
		if !slices.Contains(seen, from) {
			seen = append(seen, from)
		}
		if strings.HasSuffix(name, "_test.go") {
			return nil
		}
		imports, err := importsOf(tree, name)
		for _, to := range imports {
			if why := forbidden(from, to); why != "" {
				found = append(found, fmt.Sprintf("%s imports %s: %s", name, strings.TrimPrefix(to, module), why))
			}
		}
		return err
	})
	return found, seen, err
}

func importsOf(tree fs.FS, name string) (out []string, err error) {
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	for _, i := range file.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// forbidden returns why a package may not import another package, or "".
func forbidden(from, path string) string {
	to, ours := strings.CutPrefix(path, module)
	below, above := room(from), -1
	if ours {
		above = room(to)
	}
	switch {
	case below < 0:
		return from + " is in no room"
	case !ours && strings.Contains(strings.Split(path, "/")[0], "."):
		if slices.Contains(ownOnly, rooms[below]) && !isTestOnly(from) {
			return "packages of " + rooms[below] + " import only this module and the standard library"
		}
		return ""
	case !ours:
		if may, ok := sole[path]; ok && !slices.Contains(may, from) {
			return fmt.Sprintf("only %v may import it", may)
		}
		return ""
	case above < 0:
		return to + " is in no room"
	case above > below:
		return rooms[above] + " is above " + rooms[below]
	case isTestOnly(to) && !isTestOnly(from) && !matches("cmd/hotline-lab/...", from): // hotline-lab tests this project
		return to + " is for tests"
	}
	for _, w := range walls {
		if matches(w.packages, from) && !isTestOnly(from) {
			if !slices.ContainsFunc(w.imports, func(pattern string) bool { return matches(pattern, to) }) {
				return fmt.Sprintf("%s may import %v", w.packages, w.imports)
			}
			return ""
		}
	}
	return ""
}

func isTestOnly(pkg string) bool { return slices.Contains(testOnly, pkg) }

// room returns the index of the room of a package, or -1.
func room(pkg string) int {
	best := -1
	for i, r := range rooms {
		if matches(r+"/...", pkg) && (best < 0 || len(r) > len(rooms[best])) {
			best = i
		}
	}
	return best
}

func matches(pattern, pkg string) bool {
	if folder, ok := strings.CutSuffix(pattern, "/..."); ok {
		return pkg == folder || strings.HasPrefix(pkg, folder+"/")
	}
	return pkg == pattern
}

// TestFaultsOfRoomsAreFound adds forbidden imports to an invented project.
func TestFaultsOfRoomsAreFound(t *testing.T) {
	for _, c := range []struct{ from, to, why string }{
		{"hw/ir", "hw", "hw is above hw/ir"},
		{"hw/lib/fifo", "sim/interp", "sim is above hw/lib"},
		{"gen/gosim", "sim", "sim is above gen"},
		{"sim", "hw/hotline/top", "hw/hotline is above sim"},
		{"host/train/fae", "configs", "configs is above host/train"},
		{"host/pcie/link", "host/device/server", "host/device is above host/pcie"},
		{"cmd/hotline/command", "docs", "docs is above cmd"},
		{"hw/hotline/eal", "hw/hotline/lookup", "hw/hotline/eal may import [hw hw/enum hw/lib/... hw/hotline/arch]"},
		{"host/device/driver", "hw/hotline/dma", "host/device/driver may import [hw/hotline/arch]"},
		{"sim/interp", "hw/random", "hw/random is for tests"},
		{"cmd/hotline/command", "sim/simtest", "sim/simtest is for tests"},
		{"cmd/hotline-lab/randomcommands/oracle", "hw/hotline/model", "cmd/hotline-lab/randomcommands/oracle may import [cmd/hotline-lab/randomcommands/shell hw/hotline/arch]"},
		{"elsewhere", "hw", "elsewhere is in no room"},
	} {
		file := c.from + "/x.go"
		found, _, err := violations(fstest.MapFS{
			file:                  {Data: []byte("package x\n\nimport " + strconv.Quote(module+c.to) + "\n")},
			c.from + "/x_test.go": {Data: []byte("package x\n\nimport " + strconv.Quote(module+"docs") + "\n")},
		})
		require.NoError(t, err)
		require.Equal(t, []string{file + " imports " + c.to + ": " + c.why}, found)
	}
	found, _, err := violations(fstest.MapFS{"gen/x.go": {Data: []byte("package gen\n\nimport \"example.com/x\"\n")}})
	require.NoError(t, err)
	require.Equal(t, []string{"gen/x.go imports example.com/x: packages of gen import only this module and the standard library"}, found)
	found, _, err = violations(fstest.MapFS{"host/device/driver/x.go": {Data: []byte("package driver\n\nimport \"hash/crc32\"\n")}})
	require.NoError(t, err)
	require.Equal(t, []string{"host/device/driver/x.go imports hash/crc32: only [hw/hotline/arch host/pcie cmd/hotline-lab/randomcommands/oracle cmd/hotline-lab/fidelity] may import it"}, found)
}

// TestRoomsAreDocumented: the table of CONTRIBUTING.md lists the rooms in order, highest first.
func TestRoomsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../CONTRIBUTING.md")
	require.NoError(t, err)
	require.NoError(t, listed(string(text)))
	require.EqualError(t, listed(strings.Replace(string(text), "| `sim` |", "| `simulators` |", 1)), "no row for sim")
	require.EqualError(t, listed("| `cmd` |\n| `configs` |\n| `host/study` |\n"), "host/study is below configs")
}

// listed returns an error if a table of rooms lacks a room or has it in the wrong place.
func listed(table string) error {
	last, above := -1, ""
	for _, room := range slices.Backward(rooms[:slices.Index(rooms, "cmd")+1]) {
		if room == "examples" || room == "hw/ir" { // examples has no row; hw/ir is in the row of hw
			continue
		}
		at := max(strings.Index(table, "| `"+room+"` |"), strings.Index(table, "| `"+room+"`, `hw/ir` |"))
		switch {
		case at < 0:
			return fmt.Errorf("no row for %s", room)
		case at < last:
			return fmt.Errorf("%s is below %s", above, room)
		}
		last, above = at, room
	}
	return nil
}
