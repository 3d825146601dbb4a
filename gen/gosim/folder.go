package gosim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Write generates the package pkg from d in directory dir, which it creates if necessary. It does
// not touch files whose contents do not change. It removes files of an earlier Write that are no
// longer needed, and keeps all other files. A program that imports the package runs d with it:
// compiled.New and compiled.Find identify the package by its design.
func Write(dir string, d *ir.Design, pkg string) error {
	files, err := Generate(d, pkg)
	if err != nil {
		return err
	}
	return writeFiles(dir, files)
}

// WriteCopies is like Write, for a model of n instances of d.
func WriteCopies(dir string, d *ir.Design, n int, pkg string) error {
	files, err := GenerateCopies(d, n, pkg)
	if err != nil {
		return err
	}
	return writeFiles(dir, files)
}

func writeFiles(dir string, files []File) error {
	if err := outfile.Folder(dir); err != nil {
		return fmt.Errorf("gosim: %w", err)
	}
	var old []string
	for _, kind := range []string{"*.go", "*.s"} {
		found, err := filepath.Glob(filepath.Join(dir, kind))
		if err != nil {
			return fmt.Errorf("gosim: %w", err)
		}
		old = append(old, found...)
	}
	if err := replace(dir, files); err != nil {
		return fmt.Errorf("gosim: %w", err)
	}
	return removeOthers(old, files)
}

// replace writes the files whose contents have changed. It refuses to overwrite handwritten files.
func replace(dir string, files []File) error {
	var set outfile.Set
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		have, err := outfile.Old(path)
		switch {
		case err != nil:
			return errors.Join(err, set.Close())
		case have == nil:
		case string(have) == f.Text:
			continue
		case !generated(have):
			return errors.Join(&outfile.Error{Op: "write", Path: path, Err: outfile.ErrHandmade}, set.Close())
		}
		if err := set.Add(path, []byte(f.Text)); err != nil {
			return errors.Join(err, set.Close())
		}
	}
	return set.Commit()
}

// removeOthers deletes the generated files of paths that are not among files.
func removeOthers(paths []string, files []File) error {
	needed := map[string]bool{}
	for _, f := range files {
		needed[f.Name] = true
	}
	for _, path := range paths {
		if needed[filepath.Base(path)] {
			continue
		}
		text, err := os.ReadFile(path)
		if err == nil && generated(text) {
			err = os.Remove(path)
		}
		if err != nil {
			return fmt.Errorf("gosim: %w", err)
		}
	}
	return nil
}

// generated reports whether Generate produced a file.
func generated(text []byte) bool { return strings.HasPrefix(string(text), header) }
