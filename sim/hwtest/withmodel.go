package hwtest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

// WithModel returns the compiled model of d. If the test binary has none, WithModel
// runs the calling test in a binary that does, reports its outcome as the outcome of
// this test, and returns nil: the caller then has nothing left to do. The tests of the
// calling package must have the name of the package with _test.
func WithModel(t *testing.T, d *ir.Design) sim.Simulator {
	t.Helper()
	if s, ok := compiled.Find(d); ok {
		return s
	}
	require.Empty(t, os.Getenv("WITH_MODEL"), "the binary has the model of another design")
	out, err := exec.Command("go", "list", "-f", "{{.Dir}} {{.Name}} {{.ImportPath}}", ".").Output()
	require.NoError(t, err)
	fields := strings.Fields(string(out))
	require.Len(t, fields, 3)
	dir := t.TempDir()
	require.NoError(t, writeModel(dir, d, fields[0], fields[1]))
	c := exec.Command("go", "test", "-overlay", "overlay.json", "-count=1", "-v", "-run", "^"+t.Name()+"$", fields[2])
	c.Dir, c.Env = dir, append(os.Environ(), "WITH_MODEL=1")
	out, err = c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: "+t.Name())
	return nil
}

// writeModel makes dir a module with the model of d, and with an overlay of go's by which
// the tests of the package name in the folder at import the model.
func writeModel(dir string, d *ir.Design, at, name string) error {
	if err := compiled.Workspace(dir); err != nil {
		return err
	}
	if err := gosim.Write(filepath.Join(dir, "model"), d, "model"); err != nil {
		return err
	}
	imports := filepath.Join(dir, "imports.txt")
	text := fmt.Sprintf("package %s_test\n\nimport _ %q\n", name, compiled.Below+"/model")
	if err := os.WriteFile(imports, []byte(text), 0o644); err != nil {
		return err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(at, "zz_model_test.go"): imports}})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644)
}
