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

// place is the resolved location of a path.
type place struct {
	path    string      // after resolving all links
	old     fs.FileInfo // the regular file at the path; nil if there is none
	special bool        // neither a regular file nor nothing
	fd      int         // descriptor of this process if the path names one; otherwise -1
}

// mostLinks is the maximum number of successive links that Linux follows.
const mostLinks = 40

// find resolves a path. It changes nothing.
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
		case strings.HasPrefix(dir, "/proc/"): // links in /proc name open files, not paths
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

// descriptor returns the number of the descriptor of this process that a path in /proc names, or -1
// for other paths.
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

// writable returns an error if the open file cannot hold content.
func (p place) writable() error {
	info, err := os.Stat(p.path)
	if err != nil {
		return err
	}
	if p.fd >= 0 && !info.IsDir() { // an open descriptor may also be a socket
		return nil
	}
	return kind(info.Mode())
}

// kind returns an error if a file of this mode cannot hold the content of another file.
func kind(mode fs.FileMode) error {
	switch {
	case mode.IsDir():
		return fmt.Errorf("it is a folder; %w", ErrKind)
	case mode.IsRegular(), mode&fs.ModeNamedPipe != 0, mode&fs.ModeCharDevice != 0:
		return nil
	}
	return ErrKind
}

// protected returns an error if a regular file must not be written, although a rename could replace
// it.
func protected(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if errors.Is(err, syscall.ETXTBSY) { // a running program can be replaced
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// into opens a pipe, device or descriptor for writing.
func (p place) into() (*os.File, error) {
	if p.fd >= 0 {
		return duplicate(p.fd, p.path)
	}
	return os.OpenFile(p.path, os.O_WRONLY|os.O_APPEND, 0)
}

// syncFile makes the content of a file durable. It is a variable so that tests can replace it:
// syncing has no other visible effect while the system runs.
var syncFile = (*os.File).Sync

// syncFolder makes the names in a folder durable. Not every file system supports this.
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

// Check reports files that cannot be written, for instance before a long run, and pairs of paths
// that lead to the same file. It does not change the paths' content.
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

// probe creates and removes a file in a folder.
func probe(dir string) error {
	file, err := private(dir)
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}
