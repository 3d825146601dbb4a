package verilog

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// fusesoc runs a target of the core in dir. With the argument --setup, it stops before running
// tools.
func fusesoc(t *testing.T, dir, core, target string, setup ...string) (string, error) {
	tools.Need(t, "python3", "verilator")
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	program := filepath.Join(cache, "hotline", "python", "bin", "fusesoc")
	require.FileExists(t, program, "scripts/setup installs it there")
	dir, err = filepath.Abs(dir)
	require.NoError(t, err)
	bench, err := filepath.Abs("../tb")
	require.NoError(t, err)
	cmd := exec.Command(program, append(append([]string{"--cores-root", dir, "--cores-root", bench, "run", "--target", target}, setup...), core)...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+cmd.Dir) // a home directory without core libraries
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestFuseSoC: FuseSoC accepts the cores and their targets, and Verilator reports no warnings.
func TestFuseSoC(t *testing.T) {
	for _, name := range []string{"small", "paper"} {
		for _, target := range []string{"lint", "synth"} {
			out, err := fusesoc(t, name, "hotline-rtl:hotline:"+name, target, "--setup")
			require.NoError(t, err, out)
			require.NotContains(t, out, "WARNING")
		}
	}
	out, err := fusesoc(t, "small", "hotline-rtl:hotline:small", "lint")
	require.NoError(t, err, out)
	require.NotContains(t, out, "%")
}

// TestFuseSoCRunsTheBench: the bench is a core that depends on the core of the Verilog.
func TestFuseSoCRunsTheBench(t *testing.T) {
	out, err := fusesoc(t, "small", "hotline-rtl:hotline:bench", "sim")
	require.NoError(t, err, out)
	require.Regexp(t, `(?m)^PASS: \d+ commands`, out)
}

// TestFuseSoCFindsFaults: FuseSoC detects a core with a missing file, a file with an error, and an
// unknown flow.
func TestFuseSoCFindsFaults(t *testing.T) {
	for _, fault := range []struct{ file, old, new, want string }{
		{"hotline.core", "      - isa.v\n", "", "isa"},
		{"skid.v", "input  wire", "input  wire [1:0]", "WIDTH"},
		{"hotline.core", "flow: lint", "flow: lints", "lints"},
	} {
		dir := t.TempDir()
		require.NoError(t, os.CopyFS(dir, os.DirFS("small")))
		path := filepath.Join(dir, fault.file)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Contains(t, string(text), fault.old)
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), fault.old, fault.new, 1)), 0o600))
		out, err := fusesoc(t, dir, "hotline-rtl:hotline:small", "lint")
		require.Error(t, err)
		require.Contains(t, out, fault.want)
	}
}
