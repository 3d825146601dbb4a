package compiled

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/outfile"
)

// Workspace makes dir, which exists, a module with the path Below that takes all packages
// but its own from this module, so that programs with generated packages can be built there.
func Workspace(dir string) error {
	root, err := Source()
	if err != nil {
		return err
	}
	return module{modulePath, root}.below(dir)
}

// Below is the path of the modules that Workspace makes.
const Below = modulePath + "/" + onTheFly

// below makes dir a module below m.
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

// moduleOf finds the module of command: this one, or one that the folder at or the
// present directory belongs to.
func moduleOf(command, at string) (module, error) {
	if command == modulePath || strings.HasPrefix(command, modulePath+"/") {
		root, err := Source()
		return module{modulePath, root}, err
	}
	var failed error
	for _, dir := range []string{at, ""} {
		if dir != "" && !(filepath.IsAbs(dir) && exists(dir)) {
			continue // go build -trimpath made it a mere name
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

// edits are the arguments of go mod edit that make the go.mod of a copy of m one
// of a module below it that takes everything else from m.
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
