package command

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

const counter = "../../../gen/fromverilog/testdata/counter.v"

// TestImport imports a design and reads it with other verbs.
func TestImport(t *testing.T) {
	tools.Need(t, "yosys")
	dir := t.TempDir()
	design := filepath.Join(dir, "counter.ir")
	code, stdout, stderr := hotline("import", "--top", "counter", counter, "--out", design)
	require.Zero(t, code, stderr)
	require.Regexp(t, `^counter: modules: 1, registers in them: \d+ with \d+ bits, memories: 0\n$`, stdout)
	for _, args := range [][]string{
		{"gen", "--design", design, "--out", filepath.Join(dir, "verilog"), "--go", filepath.Join(dir, "model"), "--copies", "2"},
		{"gen", "--design", design, "--stage", "roll"},
		{"draw", "--design", design, "--out", filepath.Join(dir, "counter.svg")},
	} {
		code, _, stderr := hotline(args...)
		require.Zero(t, code, "%v: %s", args, stderr)
	}
	require.FileExists(t, filepath.Join(dir, "verilog", "counter.v"))
}

// TestImportCheck compares with Verilator and records coverage.
func TestImportCheck(t *testing.T) {
	tools.Need(t, "yosys", "verilator", "make", "g++")
	record := filepath.Join(t.TempDir(), "cover.json")
	code, stdout, stderr := hotline("import", "--top", "counter", counter, "--check", "300", "--engine", "interp", "--cover", record)
	require.Zero(t, code, stderr)
	require.Regexp(t, `^counter: 300 cycles, \d+ outputs, 0 differences between interp and Verilator\n`, stdout)
	code, stdout, stderr = hotline("cover", record)
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "counter")
}

// TestImportRefuses: Verilog that cannot be imported is an error of the user, and nothing is
// written.
func TestImportRefuses(t *testing.T) {
	tools.Need(t, "yosys")
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("m.v", []byte("module m (input en, d, output reg q);\n  always @* if (en) q = d;\nendmodule\n"), 0o600))
	code, stdout, stderr := hotline("import", "--top", "m", "m.v", "--out", "m.ir")
	require.Equal(t, exitUsage, code)
	require.Empty(t, stdout)
	require.Equal(t, "hotline: m.v:2: module m: a latch; assign the signal on every path\n", stderr)
	require.NoFileExists(t, "m.ir")
}
