package compiled

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/buildcache"
)

const modulePath = "github.com/hotline-rtl/hotline"

// Source is the folder of this module's source, which is looked for as Build does.
func Source() (string, error) {
	_, file, _, _ := runtime.Caller(0)
	return sourceAt(filepath.Dir(filepath.Dir(filepath.Dir(file)))) // which go build -trimpath makes a mere name
}

// sourceAt is the folder compiledIn if the source is there, or that of the
// present directory's module, or of one that it requires.
func sourceAt(compiledIn string) (string, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return "", errors.New("compiled: program \"go\" not found; install the Go toolchain or add it to PATH")
	}
	if holdsModule(compiledIn) {
		return compiledIn, nil
	}
	if root, err := golang("", "list", "-m", "-f", "{{.Dir}}", modulePath); err == nil && holdsModule(root) {
		return root, nil
	}
	return "", fmt.Errorf("compiled: no source of %s where this program was compiled (%s) or in the present directory; start it in a clone", modulePath, compiledIn)
}

// holdsModule tells whether dir is the root of this module.
func holdsModule(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && filepath.IsAbs(dir) && slices.Contains(strings.Split(string(text), "\n"), "module "+modulePath)
}

// golang runs the go command in dir and gives what it prints. It makes programs for
// this machine, and heeds no go.work around dir. If it fails and its cache cannot be
// written, the error is a [*buildcache.UnwritableError].
func golang(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	out, err := run(cmd, "go "+args[0])
	if err != nil && !goCacheWritable() {
		return "", &buildcache.UnwritableError{Err: err}
	}
	return out, err
}

// goCacheWritable reports whether go can keep what it compiles. It tries to, as go does.
func goCacheWritable() bool {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return true // go fails for another reason
	}
	dir := strings.TrimSpace(string(out))
	if !filepath.IsAbs(dir) || os.MkdirAll(dir, 0o777) != nil {
		return false
	}
	probe, err := os.MkdirTemp(dir, "probe-")
	return err == nil && os.Remove(probe) == nil
}

// run runs cmd and gives what it prints. Collecting garbage less often spares a tenth
// of its time. The error has the message of cmd, which it calls name.
func run(cmd *exec.Cmd, name string) (string, error) {
	cmd.Env = append([]string{"GOGC=400"}, cmd.Environ()...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("compiled: %s: %w\n%s", name, err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(out.String()), nil
}
