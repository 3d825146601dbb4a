package compiled

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// kept is how many programs stay in a store, of some 13 MB each.
const kept = 20

// prefix begins the names of programs.
const prefix = "command-"

// store is a folder of programs.
type store struct{ dir string }

// openStore is the store in dir, or in the user's cache directory if dir is
// empty.
func openStore(dir string) (store, error) {
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return store{}, fmt.Errorf("compiled: no directory for builds: %w", err)
		}
		dir = filepath.Join(user, "hotline")
	}
	return store{dir}, nil
}

// path is where the program with this key is, or will be.
func (k store) path(key string) string {
	program := filepath.Join(k.dir, prefix+key)
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	return program
}

// has tells whether a program is there, which then counts as used.
func (k store) has(program string) bool {
	if _, err := os.Stat(program); err != nil {
		return false
	}
	now := time.Now()
	_ = os.Chtimes(program, now, now) // only forget looks at it
	return true
}

// add makes a program in a directory of its own and moves it to its place, so
// that other processes never see half of one.
func (k store) add(program string, build func(work string) (made string, err error)) error {
	if err := os.MkdirAll(k.dir, 0o755); err != nil {
		return fmt.Errorf("compiled: %w", err)
	}
	work, err := os.MkdirTemp(k.dir, "build-")
	if err != nil {
		return fmt.Errorf("compiled: %w", err)
	}
	defer os.RemoveAll(work)
	made, err := build(work)
	if err != nil {
		return err
	}
	if err := os.Rename(made, program); err != nil {
		return fmt.Errorf("compiled: %w", err)
	}
	k.forget()
	return nil
}

// forget removes all but the programs that were used last. What cannot be
// removed, such as a running program on some systems, is left to the next time.
func (k store) forget() {
	entries, _ := os.ReadDir(k.dir)
	var programs []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) {
			programs = append(programs, filepath.Join(k.dir, e.Name()))
		}
	}
	used := func(program string) time.Time {
		if info, err := os.Stat(program); err == nil {
			return info.ModTime()
		}
		return time.Time{}
	}
	slices.SortFunc(programs, func(a, b string) int { return used(b).Compare(used(a)) })
	for _, p := range programs[min(kept, len(programs)):] {
		os.Remove(p)
	}
}
