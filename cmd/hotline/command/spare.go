package command

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/hotline-rtl/hotline/gen/buildcache"
)

// spareVariable passes the folder of a spare to a program that again starts.
const spareVariable = "HOTLINE_SPARE"

// spare is a temporary folder for builds, made when the user's cache cannot be written.
type spare struct {
	dir string // empty until it is needed
	own bool   // this process made it
}

// newSpare returns the spare of the program that started this one, or one without a folder.
func newSpare() *spare { return &spare{dir: os.Getenv(spareVariable)} }

// orSpare calls make for a build in the user's cache, which "" stands for. If nothing can be written
// there, it calls make for the spare's folder. unkept is then the reason, the first time.
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
	if errors.As(err, new(*buildcache.UnwritableError)) { // go has no cache either
		if err = os.Setenv("GOCACHE", filepath.Join(s.dir, "go")); err == nil {
			value, err = make(s.dir)
		}
	}
	return value, unkept, err
}

// remove removes the folder if this process made it.
func (s *spare) remove() {
	if s.own {
		os.RemoveAll(s.dir)
	}
}

// notKept says that a build is for this run only.
func notKept(reason error) string {
	return "hotline: the build is not kept for the next run: " + indented(reason)
}
