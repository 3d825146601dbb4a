package outfile

import (
	"errors"
	"io/fs"
	"os"
)

// Stream creates a file that is visible under its name while it grows. An existing regular file is
// removed, not overwritten. So its readers keep it, and two streams to one path do not mix.
func Stream(path string) (*os.File, error) {
	p, err := find(path)
	if err != nil {
		return nil, at("open", path, err)
	}
	if p.special {
		file, err := p.into()
		return file, at("open", path, err)
	}
	file, err := fresh(p.path)
	if err == nil && p.old != nil {
		err = file.Chmod(p.old.Mode().Perm())
	}
	return file, at("open", path, err)
}

// fresh creates a file after removing the existing one.
func fresh(path string) (*os.File, error) {
	for {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}
