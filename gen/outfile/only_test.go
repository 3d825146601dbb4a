package outfile_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// writers lists functions that create or replace files, by package.
var writers = map[string][]string{
	"os":        {"Create", "CreateTemp", "Link", "OpenFile", "Rename", "Symlink", "Truncate", "WriteFile"},
	"io/ioutil": {"TempFile", "WriteFile"},
	"syscall":   {"Creat", "Link", "Open", "Rename", "Truncate"},
}

// elsewhere lists files that may call them, each with the reason.
var elsewhere = map[string]string{
	"host/device/vfio/device.go":              "it opens a device",
	"cmd/hotline-lab/guest/device/main.go":    "it writes to files of the kernel",
	"cmd/hotline-lab/guest/device/kernel.go":  "it writes to files of the kernel",
	"cmd/hotline-lab/guest/device/owncard.go": "it writes to files of the kernel",
	"sim/yosys/abc.go":                        "it renames what ABC has written, in a folder of its own",
	"sim/yosys/yosystest/report.go":           "tests of several packages append to one temporary file",
}

// calls returns the calls of writers in a file.
func calls(t *testing.T, name string, source any) (found []string) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, 0)
	require.NoError(t, err)
	packages := map[string]string{} // by local name
	for _, i := range file.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		require.NoError(t, err)
		local := filepath.Base(path)
		if i.Name != nil {
			local = i.Name.Name
		}
		packages[local] = path
	}
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := s.X.(*ast.Ident); ok && slices.Contains(writers[packages[x.Name]], s.Sel.Name) {
			found = append(found, set.Position(s.Pos()).String()+": "+packages[x.Name]+"."+s.Sel.Name)
		}
		return true
	})
	return found
}

// TestNobodyElseWritesFiles: no other code of the programs creates or renames a file, so the rules
// of this package hold for all files.
func TestNobodyElseWritesFiles(t *testing.T) {
	const root = "../.."
	used := map[string]bool{}
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (rel == "gen/outfile" || entry.Name() == "testdata" || rel != "." && strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		found := calls(t, path, nil)
		if elsewhere[rel] != "" {
			require.NotEmpty(t, found, "%s needs no exception", rel)
			used[rel] = true
			return nil
		}
		require.Empty(t, found, "use package gen/outfile")
		return nil
	}))
	require.Len(t, used, len(elsewhere))
}

// TestCalls: calls finds the functions under any import name, and also as values.
func TestCalls(t *testing.T) {
	const source = `package p
import (
	system "os"
	"syscall"
)
func f() {
	system.Create("a")
	g := system.WriteFile
	defer syscall.Rename("a", "b")
	system.Open("a")
}`
	require.Equal(t, []string{"x.go:7:2: os.Create", "x.go:8:7: os.WriteFile", "x.go:9:8: syscall.Rename"}, calls(t, "x.go", source))
}
