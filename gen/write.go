package gen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Write puts the files of d into dir, which it makes if needed. They are
// complete before the first one is put in place, so that an error leaves dir as
// it was; files that do not change are not touched; and files of an earlier
// Write that the design no longer has go, as the old manifest lists them.
func Write(dir string, d *ir.Design, opt Options) error {
	files, err := Render(d, opt)
	if err != nil {
		return err
	}
	dir = filepath.Clean(dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("gen: %w", err)
	}
	old, err := listed(dir)
	if err != nil {
		return err
	}
	stage, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+"-")
	if err != nil {
		return fmt.Errorf("gen: %w", err)
	}
	defer os.RemoveAll(stage)
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(stage, f.Name), f.Data, 0o644); err != nil {
			return fmt.Errorf("gen: %w", err)
		}
	}
	for _, f := range files {
		delete(old, f.Name)
		if err := place(stage, dir, f); err != nil {
			return fmt.Errorf("gen: %w", err)
		}
	}
	return removeAll(dir, old)
}

// place moves a finished file into dir unless dir has the same one.
func place(stage, dir string, f File) error {
	to := filepath.Join(dir, f.Name)
	if have, err := os.ReadFile(to); err == nil && bytes.Equal(have, f.Data) {
		return nil
	}
	return os.Rename(filepath.Join(stage, f.Name), to)
}

// listed are the files that the manifest in dir lists, none if there is none.
func listed(dir string) (map[string]bool, error) {
	path := filepath.Join(dir, ManifestName)
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("gen: %w", err)
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("gen: %s is not a manifest of an earlier run: %w", path, err)
	}
	out := map[string]bool{m.List: true}
	for _, mod := range m.Modules {
		out[mod.File] = true
	}
	for _, later := range []string{m.Core, m.Constraints} { // an older manifest has none
		if later != "" {
			out[later] = true
		}
	}
	for name := range out {
		if name == "" || name != filepath.Base(name) {
			return nil, fmt.Errorf("gen: %s lists %q, which is no file name", path, name)
		}
	}
	return out, nil
}

// removeAll deletes files of dir.
func removeAll(dir string, names map[string]bool) error {
	for name := range names {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("gen: %w", err)
		}
	}
	return nil
}
