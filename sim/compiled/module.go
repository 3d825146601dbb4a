package compiled

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/outfile"
)

// Workspace turns the existing directory dir into a module with the path Below. The module takes
// all other packages from this module, so programs with generated packages can be built in it.
func Workspace(dir string) error {
	root, err := Source()
	if err != nil {
		return err
	}
	return module{modulePath, root}.below(dir)
}

// Below is the path of the modules that Workspace creates.
const Below = modulePath + "/" + onTheFly

// below turns dir into a module below m.
func (m module) below(dir string) error {
	for _, name := range []string{"go.mod", "go.sum"} {
		from := filepath.Join(m.Dir, name)
		if name == "go.sum" && !exists(from) {
			continue
		}
		text, err := os.ReadFile(from)
		if err != nil {
			return fmt.Errorf("compiled: %w", err)
		}
		if err := outfile.Scratch(filepath.Join(dir, name), text); err != nil {
			return fmt.Errorf("compiled: %w", err)
		}
	}
	edits, err := m.edits()
	if err != nil {
		return err
	}
	_, err = golang(dir, append([]string{"mod", "edit"}, edits...)...)
	return err
}

// module is the module of a command.
type module struct{ Path, Dir string }

// moduleOf finds the module of command: this module, or a module found from the directory at or
// from the current directory.
func moduleOf(command, at string) (module, error) {
	if command == modulePath || strings.HasPrefix(command, modulePath+"/") {
		root, err := Source()
		return module{modulePath, root}, err
	}
	var failed error
	for _, dir := range []string{at, ""} {
		if dir != "" && !(filepath.IsAbs(dir) && exists(dir)) {
			continue // with go build -trimpath, it is not a directory
		}
		text, err := golang(dir, "list", "-f", "{{if .Module}}{{.Module.Path}}\n{{.Module.Dir}}{{end}}", command)
		if err != nil {
			failed = err
			continue
		}
		if path, root, ok := strings.Cut(text, "\n"); ok {
			return module{path, root}, nil
		}
		failed = fmt.Errorf("compiled: %s belongs to no module", command)
	}
	return module{}, fmt.Errorf("%w\nstart the program in the module of %s", failed, command)
}

// edits returns the arguments of go mod edit that turn a copy of the go.mod of m into the go.mod of
// a module below m. The new module takes all other packages from m.
func (m module) edits() ([]string, error) {
	text, err := golang(m.Dir, "mod", "edit", "-json")
	if err != nil {
		return nil, err
	}
	var file struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		return nil, fmt.Errorf("compiled: go mod edit: %w", err)
	}
	out := []string{"-module", m.Path + "/" + onTheFly, "-require", m.Path + "@v0.0.0", "-replace", m.Path + "=" + m.Dir}
	for _, r := range file.Replace {
		if r.New.Version != "" || filepath.IsAbs(r.New.Path) {
			continue
		}
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		out = append(out, "-replace", old+"="+filepath.Join(m.Dir, r.New.Path))
	}
	return out, nil
}
