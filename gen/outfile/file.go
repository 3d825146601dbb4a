package outfile

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// prefix begins the names of incomplete files.
const prefix = ".hotline-"

// File is a file that is being written.
type File struct {
	path  string // as the caller gave it
	place place
	part  *os.File // the content, under its private name

	closed bool
	gone   bool // the private name no longer exists
}

// Create begins a file. It is not visible under its name until Commit.
func Create(path string) (*File, error) {
	f := &File{path: path}
	var err error
	if f.place, err = find(path); err != nil {
		return nil, at("open", path, err)
	}
	dir := filepath.Dir(f.place.path)
	if f.place.special {
		dir = os.TempDir()
	}
	if f.part, err = private(dir); err != nil {
		return nil, at("open", path, err)
	}
	if err := f.permissions(); err != nil {
		return nil, errors.Join(at("open", path, err), f.Close())
	}
	return f, nil
}

// permissions restricts access to the incomplete content to the readers of the final file.
func (f *File) permissions() error {
	switch {
	case f.place.special:
		return f.part.Chmod(0o600)
	case f.place.old != nil:
		return f.part.Chmod(f.place.old.Mode().Perm())
	}
	return nil
}

// private creates a file with a unique name.
func private(dir string) (*os.File, error) {
	for {
		file, err := os.OpenFile(filepath.Join(dir, prefix+rand.Text()), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// Write implements io.Writer.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.part.Write(p)
	return n, at("write", f.path, err)
}

// WriteAt implements io.WriterAt.
func (f *File) WriteAt(p []byte, offset int64) (int, error) {
	n, err := f.part.WriteAt(p, offset)
	return n, at("write", f.path, err)
}

// Commit completes the file and puts it in place.
func (f *File) Commit() error {
	if err := f.finish(); err != nil {
		return err
	}
	if err := f.settle(); err != nil || f.place.special {
		return err
	}
	return at("sync", f.path, syncFolder(filepath.Dir(f.place.path)))
}

// finish makes the content durable, or discards it.
func (f *File) finish() error {
	if f.place.special {
		return nil
	}
	f.closed = true
	if err := errors.Join(syncFile(f.part), f.part.Close()); err != nil {
		return errors.Join(at("write", f.path, err), f.Close())
	}
	return nil
}

// settle puts finished content in place.
func (f *File) settle() error {
	if f.place.special {
		return errors.Join(f.copy(), f.Close())
	}
	if err := os.Rename(f.part.Name(), f.place.path); err != nil {
		return errors.Join(at("rename", f.path, err), f.Close())
	}
	f.gone = true
	return nil
}

// copy writes the content to a pipe, device or descriptor, which cannot be replaced.
func (f *File) copy() error {
	to, err := f.place.into()
	if err != nil {
		return at("open", f.path, err)
	}
	_, err = f.part.Seek(0, io.SeekStart)
	if err == nil {
		_, err = io.Copy(to, f.part)
	}
	return at("write", f.path, errors.Join(err, to.Close()))
}

// Close discards the content unless it was committed.
func (f *File) Close() error {
	if f.gone {
		return nil
	}
	f.gone = true
	var err error
	if !f.closed {
		err = f.part.Close()
	}
	return at("remove", f.path, errors.Join(err, os.Remove(f.part.Name())))
}

// Write writes a file with the content that write produces. If write fails, the path keeps its old
// content.
func Write(path string, write func(w io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Commit()
}

// WriteBytes writes a file with the given content.
func WriteBytes(path string, content []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// WriteProgram writes a file that its readers may also execute.
func WriteProgram(path string, content []byte) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = at("write", path, f.executable())
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Commit()
}

func (f *File) executable() error {
	info, err := f.part.Stat()
	if err != nil {
		return err
	}
	mode := info.Mode().Perm()
	return f.part.Chmod(mode | mode&0o444>>2)
}
