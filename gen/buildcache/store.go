package buildcache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hotline-rtl/hotline/gen/outfile"
)

// Limit is the size in bytes above which a store removes the builds that were used least recently.
// A build typically has 1 to 50 MB.
const Limit = 512_000_000

const (
	// recent is the age up to which a build may be in use. Recent builds are kept even if the limit
	// is exceeded.
	recent = time.Hour
	// abandoned is the age at which an unfinished build is assumed to be left over from a killed
	// process. No build takes half as long.
	abandoned = time.Hour
)

// Store is a folder of builds, each in a folder of its own.
type Store struct {
	dir   string
	limit int64 // bytes
}

// UnwritableError reports that a build is not in the store and that the store's folder
// cannot be written. Another folder may do.
type UnwritableError struct{ Err error }

func (e *UnwritableError) Error() string { return "builds: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *UnwritableError) Unwrap() error { return e.Err }

// Open returns the store in dir, or in the user's cache directory if dir is empty. If there is no
// such directory, the error is an [*UnwritableError].
func Open(dir string) (Store, error) {
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return Store{}, &UnwritableError{fmt.Errorf("no directory for builds: %w", err)}
		}
		dir = filepath.Join(user, "hotline")
	}
	return Store{dir, Limit}, nil
}

// Key returns a name that identifies all inputs of a build.
func Key(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d %s\n", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Get returns the folder of the build with a kind and a key. If the store does not have it, Get
// calls build with a temporary folder, and made is true. Get returns the error of build, or an
// [*UnwritableError] if it cannot create the temporary folder.
func (s Store) Get(kind, key string, build func(work string) error) (path string, made bool, err error) {
	path = filepath.Join(s.dir, kind+"-"+key)
	if _, err := os.Stat(path); err == nil {
		now := time.Now()
		_ = os.Chtimes(path, now, now) // only used by forget
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
		if _, there := os.Stat(path); there != nil { // no other process was faster
			return "", false, fmt.Errorf("buildcache: %w", err)
		}
	}
	s.forget()
	return path, true, nil
}

// unfinished is the prefix of the names of unfinished builds.
const unfinished = "build-"

// forget removes abandoned builds and, above the limit, the builds that were used least recently.
// Folders that cannot be removed, such as running programs on some systems, remain until the next
// call.
func (s Store) forget() {
	list, left := s.builds()
	for _, path := range left {
		os.RemoveAll(path)
	}
	var total int64
	for _, b := range list {
		total += b.size
	}
	slices.SortFunc(list, func(a, b build) int { return a.used.Compare(b.used) })
	for _, b := range list {
		if total <= s.limit || time.Since(b.used) < recent {
			return
		}
		os.RemoveAll(b.path)
		total -= b.size
	}
}

// build is a build in a store.
type build struct {
	path string
	used time.Time
	size int64
}

// builds returns the builds of the store, and the folders of abandoned ones. Other folders, such
// as the tools of scripts/setup, are neither.
func (s Store) builds() (list []build, left []string) {
	entries, _ := os.ReadDir(s.dir)
	for _, e := range entries {
		kind, _, _ := strings.Cut(e.Name(), "-")
		info, err := e.Info()
		if err != nil || !e.IsDir() || !strings.Contains(e.Name(), "-") {
			continue
		}
		path := filepath.Join(s.dir, e.Name())
		if kind+"-" != unfinished {
			list = append(list, build{path, info.ModTime(), size(path)})
		} else if time.Since(info.ModTime()) > abandoned {
			left = append(left, path)
		}
	}
	return list, left
}

// Folder returns the folder of the store, which may not exist yet.
func (s Store) Folder() string { return s.dir }

// Size returns the bytes of all builds in the store.
func (s Store) Size() (n int64) {
	list, _ := s.builds()
	for _, b := range list {
		n += b.size
	}
	return n
}

// size returns the bytes of all files below a folder.
func size(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n
}
