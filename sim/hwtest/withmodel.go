package hwtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

// WithModel returns the compiled model of d. If the test binary has none, WithModel
// runs the calling test in a binary that does, reports its outcome as the outcome of
// this test, and returns nil: the caller then has nothing left to do. The tests of the
// calling package must have the name of the package with _test.
func WithModel(t testing.TB, d *ir.Design) sim.Simulator {
	t.Helper()
	if s, ok := compiled.Find(d); ok {
		return s
	}
	if os.Getenv("WITH_MODEL") != "" {
		t.Fatal("the binary has the model of another design")
	}
	if err := runWithModel(t.TempDir(), d, t.Name()); err != nil {
		t.Fatal(err)
	}
	return nil
}

// runWithModel runs a test of the package in the present directory with the model of d,
// which it builds in dir.
func runWithModel(dir string, d *ir.Design, test string) error {
	out, err := exec.Command("go", "list", "-f", "{{.Dir}} {{.Name}} {{.ImportPath}}", ".").Output()
	if err != nil {
		return err
	}
	var at, name, path string
	if _, err := fmt.Sscan(string(out), &at, &name, &path); err != nil {
		return fmt.Errorf("go list: %w: %s", err, out)
	}
	if err := writeModel(dir, d, at, name); err != nil {
		return err
	}
	c := exec.Command("go", "test", "-overlay", "overlay.json", "-count=1", "-v", "-run", "^"+test+"$", path)
	c.Dir, c.Env = dir, append(os.Environ(), "WITH_MODEL=1")
	out, err = c.CombinedOutput()
	if err == nil && !strings.Contains(string(out), "--- PASS: "+test) {
		err = errors.New("the test did not run")
	}
	if err != nil {
		return fmt.Errorf("with the model: %w\n%s", err, out)
	}
	return nil
}

// writeModel makes dir a module with the model of d. It also writes an overlay of go's there,
// by which the tests of the package name in the folder at import the model.
func writeModel(dir string, d *ir.Design, at, name string) error {
	if err := compiled.Workspace(dir); err != nil {
		return err
	}
	if err := gosim.Write(filepath.Join(dir, "model"), d, "model"); err != nil {
		return err
	}
	imports := filepath.Join(dir, "imports.txt")
	text := fmt.Sprintf("package %s_test\n\nimport _ %q\n", name, compiled.Below+"/model")
	if err := outfile.Scratch(imports, []byte(text)); err != nil {
		return err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(at, "zz_model_test.go"): imports}})
	if err != nil {
		return err
	}
	return outfile.Scratch(filepath.Join(dir, "overlay.json"), overlay)
}
