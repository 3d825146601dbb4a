package outfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Replace replaces the regular file at path by the output of write, and returns it open, for
// appending. It is for a stream that drops its beginning. Until write has returned, path keeps its
// old content. A pipe or a device has no content to replace; then the error is ErrKind.
func Replace(path string, write func(w io.Writer) error) (*os.File, error) {
	f, err := Create(path)
	if err != nil {
		return nil, err
	}
	if f.place.special {
		return nil, errors.Join(at("rename", path, ErrKind), f.Close())
	}
	err = write(f)
	if err == nil {
		err = at("write", path, syncFile(f.part))
	}
	if err == nil {
		err = at("rename", path, os.Rename(f.part.Name(), f.place.path))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	f.gone = true
	if err := syncFolder(filepath.Dir(f.place.path)); err != nil {
		return nil, errors.Join(at("sync", path, err), f.part.Close())
	}
	return f.part, nil
}
