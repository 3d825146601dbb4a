package buildcache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hotline-rtl/hotline/gen/outfile"
)

// Kept is how many builds of each kind stay, of 1 to 50 MB each.
const Kept = 20

// abandoned is the age at which an unfinished build is taken for one whose process
// has been killed.
const abandoned = 24 * time.Hour

// Store is a folder of builds, each a folder.
type Store struct{ dir string }

// UnwritableError reports that a build is not in the store and that the store's folder
// cannot be written. Another folder may do.
type UnwritableError struct{ Err error }

func (e *UnwritableError) Error() string { return "builds: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *UnwritableError) Unwrap() error { return e.Err }

// Open gives the store in dir, or in the user's cache directory if dir is empty. If there
// is no such directory, the error is an [*UnwritableError].
func Open(dir string) (Store, error) {
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return Store{}, &UnwritableError{fmt.Errorf("no directory for builds: %w", err)}
		}
		dir = filepath.Join(user, "hotline")
	}
	return Store{dir}, nil
}

// Key is a name for all that goes into a build.
func Key(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d %s\n", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Get is the folder of the build of a kind with a key. If it is not there, build
// makes it, in a folder of another name, and made is true. The error is the one of
// build, or an [*UnwritableError] if build had no place to work in.
func (s Store) Get(kind, key string, build func(work string) error) (path string, made bool, err error) {
	path = filepath.Join(s.dir, kind+"-"+key)
	if _, err := os.Stat(path); err == nil {
		now := time.Now()
		_ = os.Chtimes(path, now, now) // only forget looks at it
		return path, false, nil
	}
	if err := outfile.Folder(s.dir); err != nil {
		return "", false, &UnwritableError{err}
	}
	work, err := os.MkdirTemp(s.dir, unfinished)
	if err != nil {
		return "", false, &UnwritableError{err}
	}
	defer os.RemoveAll(work)
	if err := build(work); err != nil {
		return "", false, err
	}
	if err := outfile.Publish(work, path); err != nil {
		if _, there := os.Stat(path); there != nil { // nobody else was faster
			return "", false, fmt.Errorf("builds: %w", err)
		}
	}
	s.forget(kind)
	return path, true, nil
}

// unfinished begins the names of builds under way.
const unfinished = "build-"

// forget removes all but the builds of a kind that were used last, and abandoned
// ones. What cannot be removed, such as a running program on some systems, is left to
// the next time.
func (s Store) forget(kind string) {
	entries, _ := os.ReadDir(s.dir)
	type build struct {
		path string
		used time.Time
	}
	var list []build
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		path := filepath.Join(s.dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), kind+"-"):
			list = append(list, build{path, info.ModTime()})
		case strings.HasPrefix(e.Name(), unfinished) && time.Since(info.ModTime()) > abandoned:
			os.RemoveAll(path)
		}
	}
	slices.SortFunc(list, func(a, b build) int { return b.used.Compare(a.used) })
	for _, b := range list[min(Kept, len(list)):] {
		os.RemoveAll(b.path)
	}
}
