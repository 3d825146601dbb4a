package outfile

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"
)

// Error reports a file that cannot be written.
type Error struct {
	Op   string
	Path string // as the caller gave it
	Err  error
}

func (e *Error) Error() string { return e.Op + " " + e.Path + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrKind reports a path to something that cannot hold a file's content.
var ErrKind = errors.New("expected a file, a pipe or a character device")

// ErrHandmade reports that a generator would replace a file that it has not written.
var ErrHandmade = errors.New("the existing file is not a generated one; remove it, or name another file")

// ErrTwice reports that one file would get two contents.
var ErrTwice = errors.New("another result goes to the same file; name another file")

// places are the causes that another path or another permission removes.
var places = []error{
	fs.ErrNotExist, fs.ErrPermission, ErrKind, ErrHandmade, ErrTwice,
	syscall.EINVAL, syscall.EROFS, syscall.ENOTDIR, syscall.EISDIR, syscall.ENXIO, syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EBUSY, syscall.EXDEV,
}

// Place reports whether the path is at fault: its folder does not exist, it must not be written, or
// something else occupies it. All other causes, such as a full disk, are faults of the system.
func (e *Error) Place() bool {
	return slices.ContainsFunc(places, func(cause error) bool { return errors.Is(e.Err, cause) })
}

// at returns err as an *Error about a path. It returns nil if err is nil.
func at(op, path string, err error) error {
	if err == nil {
		return nil
	}
	if done := (*Error)(nil); errors.As(err, &done) {
		return err
	}
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	return &Error{op, path, err}
}
