package outfile

import (
	"errors"
	"path/filepath"
)

// Set is a set of files that belong together. All files are completed before the first is put in
// place, so a full disk changes none of them.
type Set struct{ files []*File }

// Add writes a file of the set. Commit puts it in place.
func (s *Set) Add(path string, content []byte) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	if _, err := f.Write(content); err != nil {
		return errors.Join(err, f.Close())
	}
	s.files = append(s.files, f)
	return f.finish()
}

// Commit puts all files in place, in the order of Add.
func (s *Set) Commit() error {
	folders := map[string]bool{}
	for _, f := range s.files {
		if err := f.settle(); err != nil {
			return errors.Join(err, s.Close())
		}
		if !f.place.special {
			folders[filepath.Dir(f.place.path)] = true
		}
	}
	for dir := range folders {
		if err := syncFolder(dir); err != nil {
			return at("sync", dir, err)
		}
	}
	return nil
}

// Close discards the files that are not yet in place.
func (s *Set) Close() error {
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}
