package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// golang runs the go command in a module outside of this one and returns its output.
func golang(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// started returns a folder that hotline init wrote, which uses this version of the module.
func started(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "new")
	code, stdout, stderr := hotline("init", dir)
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "Next: cd "+dir+" && go mod tidy && go test -short .\nREADME.md in it")
	out, err := golang(dir, "mod", "edit", "-replace", modulePath+"="+filepath.Join(origin(t), "../../.."))
	require.NoError(t, err, out)
	return dir
}

// TestInit: the module is formatted, passes its test and writes Verilog. It requires the version
// that the tutorials require. The test finds a counter that does not start again.
func TestInit(t *testing.T) {
	dir := started(t)
	out, err := exec.Command("gofmt", "-l", dir).CombinedOutput()
	require.NoError(t, err)
	require.Empty(t, string(out))
	for _, page := range []string{"first-design", "first-driver", "training-system"} {
		require.Contains(t, contents(t, filepath.Join(origin(t), "../../../docs/tutorial/"+page+".md")), "@v0.1.0 ")
	}
	require.Contains(t, contents(t, filepath.Join(dir, "go.mod")), "\nrequire "+modulePath+" v0.1.0\n")
	for _, args := range [][]string{{"vet", "./..."}, {"test", "-short", "."}, {"run", "./gen"}} {
		out, err := golang(dir, args...)
		require.NoError(t, err, out)
	}
	require.Contains(t, contents(t, filepath.Join(dir, "rtl", "counter.v")), "module counter (")
	require.NoFileExists(t, filepath.Join(dir, "go.sum"), "nothing else is needed")

	design := filepath.Join(dir, "counter.go")
	require.NoError(t, os.WriteFile(design, []byte(edited(t, contents(t, design), "count.Set(hw.K(0))", "count.Set(hw.K(1))")), 0o600))
	out2, err := golang(dir, "test", "-short", ".")
	require.Error(t, err)
	require.Contains(t, out2, "count is 1, expected 0")
}

// TestInitWithTools: the test of the module also passes with the other simulators.
func TestInitWithTools(t *testing.T) {
	tools.Need(t, "verilator", "iverilog", "yosys", "make", "g++")
	out, err := golang(started(t), "test", ".")
	require.NoError(t, err, out)
}

// TestInitRefuses: a folder with files stays as it is. An empty folder is fine.
func TestInitRefuses(t *testing.T) {
	dir := folder(t, map[string]string{"mine.txt": ""})
	for _, at := range []string{".", "mine.txt"} {
		code, _, stderr := hotline("init", at)
		require.Equal(t, exitUsage, code)
		require.Contains(t, stderr, "mine.txt")
	}
	require.Equal(t, []string{"mine.txt"}, names(t, dir))
	for _, args := range [][]string{{"init"}, {"init", "a", "b"}} {
		code, _, stderr := hotline(args...)
		require.Equal(t, exitUsage, code)
		require.Contains(t, stderr, "expected one folder")
	}
	code, _, stderr := hotline("init", t.TempDir())
	require.Zero(t, code, stderr)
}
