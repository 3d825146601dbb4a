package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/designs"
	"github.com/hotline-rtl/hotline/gen/fromverilog"
	"github.com/hotline-rtl/hotline/gen/tools"
)

// TestImportPage runs the commands of import.md and compares their output.
func TestImportPage(t *testing.T) {
	tools.Need(t, "yosys", "verilator", "make", "g++")
	page := "how-to/import.md"
	dir := t.TempDir()
	out, ok := golang(t, "..", "build", "-o", filepath.Join(dir, "bin", "hotline"), "./cmd/hotline")
	require.True(t, ok, out)
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tone.v"), []byte(fenced(t, page, "verilog")[0]), 0o600))
	s := &shell{t, dir}
	printed := ""
	for _, commands := range fenced(t, page, "sh") {
		printed += s.run(commands)
	}
	results := fenced(t, page, "")
	require.Len(t, results, 2)
	for _, r := range results {
		require.Contains(t, printed, r)
	}
	for _, file := range []string{"model/model.go", "library/Makefile", "verilog/tone.v", "tone.svg"} {
		require.FileExists(t, filepath.Join(dir, file))
	}
	for _, m := range regexp.MustCompile("(?m)\\| `(hotline [^`]*)` \\|$").FindAllStringSubmatch(read(t, page), -1) {
		s.run(m[1])
	}
}

// TestPublicDesigns: the page has a row without differences for each public design.
func TestPublicDesigns(t *testing.T) {
	list, err := designs.Public()
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| `(\\w+)` \\|.* 1000000 \\| 0 \\| 20000 \\| 0 \\|$").FindAllStringSubmatch(read(t, "how-to/import.md"), -1)
	require.Len(t, rows, len(list))
	for i, d := range list {
		require.Equal(t, d.Name, rows[i][1])
	}
}

// refusals returns the statements and the messages of the table of refusals.
func refusals(page string) [][]string {
	_, table, _ := strings.Cut(page, "\n| Verilog | message |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	return regexp.MustCompile("(?m)^\\| `(.*)` \\| `(.*)` \\|$").FindAllStringSubmatch(table, -1)
}

// TestRefusalsOfThePage imports each statement that the page says is refused.
func TestRefusalsOfThePage(t *testing.T) {
	tools.Need(t, "yosys")
	page := read(t, "how-to/import.md")
	list := refusals(page)
	require.Len(t, list, 5)
	for _, row := range list {
		require.Contains(t, message(t, row[1]), row[2])
	}
	require.NotContains(t, message(t, "assign q = d;"), "latch", "negative control")
}

// message returns the error of an import of a module with a statement, or "".
func message(t *testing.T, statement string) string {
	file := filepath.Join(t.TempDir(), "m.v")
	kind := "reg"
	if strings.HasPrefix(statement, "assign") {
		kind = "wire"
	}
	text := "module m (input clk, write, d, output " + kind + " q);\nwire gated = clk & write;\n" + statement + "\nendmodule\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	_, err := fromverilog.Import(t.Context(), fromverilog.Options{Top: "m", Files: []string{file}})
	if err == nil {
		return ""
	}
	require.Contains(t, err.Error(), "m.v:3: ")
	return err.Error()
}
