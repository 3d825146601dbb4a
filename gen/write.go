package gen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Write writes the files of d to dir, which it creates if needed. It completes all files before it
// puts the first in place, so an error leaves dir unchanged. Files with the same content are not
// touched. Files that an earlier Write listed in the manifest, and that the design no longer has,
// are removed.
func Write(dir string, d *ir.Design, opt Options) error {
	files, err := Render(d, opt)
	if err != nil {
		return err
	}
	dir = filepath.Clean(dir)
	if err := outfile.Folder(dir); err != nil {
		return fmt.Errorf("gen: %w", err)
	}
	old, err := listed(dir)
	if err != nil {
		return err
	}
	if err := replace(dir, files); err != nil {
		return fmt.Errorf("gen: %w", err)
	}
	for _, f := range files {
		delete(old, f.Name)
	}
	return removeAll(dir, old)
}

// replace writes the files that are missing from dir or differ.
func replace(dir string, files []File) error {
	var set outfile.Set
	for _, f := range files {
		to := filepath.Join(dir, f.Name)
		have, err := outfile.Old(to)
		if err != nil {
			return errors.Join(err, set.Close())
		}
		if have != nil && bytes.Equal(have, f.Data) {
			continue
		}
		if err := set.Add(to, f.Data); err != nil {
			return errors.Join(err, set.Close())
		}
	}
	return set.Commit()
}

// listed returns the names of the files that the manifest in dir lists, or nil if there is no
// manifest.
func listed(dir string) (map[string]bool, error) {
	path := filepath.Join(dir, ManifestName)
	data, err := outfile.Old(path)
	if err != nil {
		return nil, fmt.Errorf("gen: %w", err)
	}
	if data == nil {
		return nil, nil
	}
	var m struct { // of any version
		List, Core, Constraints string
		Modules                 []struct{ File string }
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("gen: %s is not a manifest of an earlier run: %w", path, err)
	}
	out := map[string]bool{m.List: true}
	for _, mod := range m.Modules {
		out[mod.File] = true
	}
	for _, later := range []string{m.Core, m.Constraints} { // older manifests lack them
		if later != "" {
			out[later] = true
		}
	}
	for name := range out {
		if name == "" || name != filepath.Base(name) {
			return nil, fmt.Errorf("gen: %s lists %q, which is not a file name", path, name)
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
