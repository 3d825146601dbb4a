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

// Source returns the directory of this module's source. See Build for the search order.
func Source() (string, error) {
	_, file, _, _ := runtime.Caller(0)
	return sourceAt(filepath.Dir(filepath.Dir(filepath.Dir(file)))) // not a directory with go build -trimpath
}

// sourceAt returns compiledIn if the source is there. Otherwise, it returns the directory of this
// module as the current directory's module sees it, or else the source that a release contains.
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
	if embedded != nil {
		return embedded()
	}
	return "", fmt.Errorf("compiled: no source of %s where this program was compiled (%s) or in the present directory; start it in a clone", modulePath, compiledIn)
}

// holdsModule reports whether dir is the root of this module.
func holdsModule(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && filepath.IsAbs(dir) && slices.Contains(strings.Split(string(text), "\n"), "module "+modulePath)
}

// golang runs the go command in dir and returns its output. It builds for this machine and ignores
// any go.work around dir. If it fails and its cache is not writable, the error is a
// [*buildcache.UnwritableError].
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

// goCacheWritable reports whether go can write to its cache. It tries to create a file there, as go
// does.
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

// run runs cmd and returns its output. Less frequent garbage collection saves a tenth of the time.
// The error contains the messages of cmd and the given name.
func run(cmd *exec.Cmd, name string) (string, error) {
	cmd.Env = append([]string{"GOGC=400"}, cmd.Environ()...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("compiled: %s: %w\n%s", name, err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(out.String()), nil
}
