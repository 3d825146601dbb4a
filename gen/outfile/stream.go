package outfile

import (
	"errors"
	"io/fs"
	"os"
)

// Stream begins a file that others see under its name while it grows. A regular file that
// is there is removed, not overwritten, so whoever reads it keeps it, and two streams to
// one path do not mix.
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

// fresh creates a file in place of one that is there.
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
