package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// place is what a path leads to.
type place struct {
	path    string      // behind all links
	old     fs.FileInfo // of the regular file that is there; nil if there is nothing
	special bool        // neither
	fd      int         // of this process, if the path names a descriptor; otherwise -1
}

// mostLinks is the number of links in a row that Linux follows.
const mostLinks = 40

// find follows a path. It changes nothing.
func find(path string) (place, error) {
	p := place{path: path, fd: -1}
	if path == "" || os.IsPathSeparator(path[len(path)-1]) {
		return p, kind(fs.ModeDir)
	}
	var err error
	if p.path, err = filepath.Abs(path); err != nil {
		return p, err
	}
	for range mostLinks {
		dir, err := filepath.EvalSymlinks(filepath.Dir(p.path))
		if err != nil {
			return p, err
		}
		p.path = filepath.Join(dir, filepath.Base(p.path))
		info, err := os.Lstat(p.path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return p, nil
		case err != nil:
			return p, err
		case strings.HasPrefix(dir, "/proc/"): // whose links name open files, not paths
			p.special = true
			p.fd = descriptor(dir, p.path)
			return p, p.writable()
		case info.Mode().Type() == fs.ModeSymlink:
			to, err := os.Readlink(p.path)
			if err != nil {
				return p, err
			}
			if !filepath.IsAbs(to) {
				to = filepath.Join(dir, to)
			}
			p.path = to
		case info.Mode().IsRegular():
			p.old = info
			return p, protected(p.path)
		default:
			p.special = true
			return p, kind(info.Mode())
		}
	}
	return p, syscall.ELOOP
}

// descriptor returns the number that a path of /proc has for a descriptor of this process,
// -1 for other paths.
func descriptor(dir, path string) int {
	if dir != "/proc/"+strconv.Itoa(os.Getpid())+"/fd" {
		return -1
	}
	n, err := strconv.Atoi(filepath.Base(path))
	if err != nil {
		return -1
	}
	return n
}

// writable reports an open file that does not take content.
func (p place) writable() error {
	info, err := os.Stat(p.path)
	if err != nil {
		return err
	}
	if p.fd >= 0 && !info.IsDir() { // also a socket, as it is open
		return nil
	}
	return kind(info.Mode())
}

// kind reports a file that does not take the content of another one.
func kind(mode fs.FileMode) error {
	switch {
	case mode.IsDir():
		return fmt.Errorf("it is a folder; %w", ErrKind)
	case mode.IsRegular(), mode&fs.ModeNamedPipe != 0, mode&fs.ModeCharDevice != 0:
		return nil
	}
	return ErrKind
}

// protected reports a regular file that may not be written, although renaming could
// replace it.
func protected(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if errors.Is(err, syscall.ETXTBSY) { // a program that runs can be replaced
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// into opens what cannot be replaced.
func (p place) into() (*os.File, error) {
	if p.fd >= 0 {
		return duplicate(p.fd, p.path)
	}
	return os.OpenFile(p.path, os.O_WRONLY|os.O_APPEND, 0)
}

// syncFile makes the content of a file last. Tests replace it, as no other effect of it shows
// while the system runs.
var syncFile = (*os.File).Sync

// syncFolder makes the names in a folder last. Not every file system can.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	file, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := syncFile(file); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

// Check reports files that could not be written, for instance before a long run, and two
// paths that lead to the same file. The paths keep what they have.
func Check(paths ...string) error {
	var errs []error
	seen := map[string]string{}
	for _, path := range paths {
		p, err := find(path)
		if err == nil && !p.special {
			if other, taken := seen[p.path]; taken {
				err = fmt.Errorf("%w (%s)", ErrTwice, other)
			} else {
				err = probe(filepath.Dir(p.path))
			}
			seen[p.path] = path
		}
		errs = append(errs, at("open", path, err))
	}
	return errors.Join(errs...)
}

// probe creates a file in a folder, and removes it.
func probe(dir string) error {
	file, err := private(dir)
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}
