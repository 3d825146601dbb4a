package command

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/hotline-rtl/hotline/gen/buildcache"
)

// spareVariable passes the directory of a spare to a program started by reexec.
const spareVariable = "HOTLINE_SPARE"

// spare is a temporary directory for builds, created if the user's cache is not writable.
type spare struct {
	dir string // empty until it is needed
	own bool   // created by this process
}

// newSpare returns the spare of the program that started this program, or a spare without a
// directory.
func newSpare() *spare { return &spare{dir: os.Getenv(spareVariable)} }

// orSpare calls make for a build in the user's cache, with an empty dir. If the cache is not
// writable, it calls make with the directory of the spare. unkept is the reason, but only for the
// first time.
func orSpare[T any](s *spare, make func(dir string) (T, error)) (value T, unkept, err error) {
	value, err = make("")
	cause := (*buildcache.UnwritableError)(nil)
	if !errors.As(err, &cause) {
		return value, nil, err
	}
	if s.dir == "" {
		if s.dir, err = os.MkdirTemp("", "hotline-builds-"); err != nil {
			return value, nil, errors.Join(cause, err)
		}
		s.own, unkept = true, cause
	}
	value, err = make(s.dir)
	if errors.As(err, new(*buildcache.UnwritableError)) { // go's build cache is not writable either
		if err = os.Setenv("GOCACHE", filepath.Join(s.dir, "go")); err == nil {
			value, err = make(s.dir)
		}
	}
	return value, unkept, err
}

// remove removes the directory if this process created it.
func (s *spare) remove() {
	if s.own {
		os.RemoveAll(s.dir)
	}
}

// notKept returns the message that a build is for this run only.
func notKept(reason error) string {
	return "hotline: the build is not kept for the next run: " + indented(reason)
}
