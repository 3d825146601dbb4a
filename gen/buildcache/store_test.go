package buildcache

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func write(text string) func(string) error {
	return func(work string) error { return os.WriteFile(filepath.Join(work, "made"), []byte(text), 0o600) }
}

func TestGet(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "new"))
	require.NoError(t, err)
	path, made, err := s.Get("tool", "a", write("first"))
	require.NoError(t, err)
	require.True(t, made)
	again, made, err := s.Get("tool", "a", write("second"))
	require.NoError(t, err)
	require.False(t, made)
	require.Equal(t, path, again)
	text, err := os.ReadFile(filepath.Join(path, "made"))
	require.NoError(t, err)
	require.Equal(t, "first", string(text))
	require.Equal(t, path, filepath.Join(s.Folder(), "tool-a"))
	require.EqualValues(t, len("first"), s.Size())
}

// TestFailure: a failed build leaves nothing behind.
func TestFailure(t *testing.T) {
	s, err := Open(t.TempDir())
	require.NoError(t, err)
	wrong := errors.New("wrong")
	_, _, err = s.Get("tool", "a", func(work string) error { return errors.Join(write("half")(work), wrong) })
	require.ErrorIs(t, err, wrong)
	entries, err := os.ReadDir(s.dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// TestUnwritable: if the folder cannot be written, nothing is built, and the error reports it.
// Existing builds are still found.
func TestUnwritable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	s, err := Open(filepath.Join(file, "below"))
	require.NoError(t, err)
	_, _, err = s.Get("tool", "a", func(string) error { return errors.New("built") })
	require.ErrorAs(t, err, new(*UnwritableError))
	require.ErrorContains(t, err, file+": not a directory")

	if os.Geteuid() != 0 { // root may write everywhere
		s, err = Open(t.TempDir())
		require.NoError(t, err)
		before, _, err := s.Get("tool", "a", write("before"))
		require.NoError(t, err)
		require.NoError(t, os.Chmod(s.dir, 0o500))
		defer os.Chmod(s.dir, 0o700)
		again, made, err := s.Get("tool", "a", write("again"))
		require.NoError(t, err)
		require.False(t, made)
		require.Equal(t, before, again)
		_, _, err = s.Get("tool", "b", write("other"))
		require.ErrorAs(t, err, new(*UnwritableError))
	}

	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	_, err = Open("")
	require.ErrorAs(t, err, new(*UnwritableError))
	wrong := errors.New("wrong")
	s, err = Open(t.TempDir())
	require.NoError(t, err)
	_, _, err = s.Get("tool", "a", func(string) error { return wrong })
	require.Equal(t, wrong, err, "a failed build is another fault")
}

// TestOvertaken: if another process has finished the same build in the meantime, its result is
// used.
func TestOvertaken(t *testing.T) {
	s, err := Open(t.TempDir())
	require.NoError(t, err)
	path, made, err := s.Get("tool", "a", func(work string) error {
		_, _, err := s.Get("tool", "a", write("other"))
		return errors.Join(err, write("own")(work))
	})
	require.NoError(t, err)
	require.True(t, made)
	text, err := os.ReadFile(filepath.Join(path, "made"))
	require.NoError(t, err)
	require.Equal(t, "other", string(text))
}

// TestForget: the most recently used builds within the limit, builds in use, and files of others
// are kept.
func TestForget(t *testing.T) {
	s, err := Open(t.TempDir())
	require.NoError(t, err)
	s.limit = 10_000
	folder := func(name string, size int, age time.Duration) string {
		path := filepath.Join(s.dir, name)
		require.NoError(t, os.Mkdir(path, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(path, "file"), make([]byte, size), 0o600))
		then := time.Now().Add(-age)
		require.NoError(t, os.Chtimes(path, then, then))
		return path
	}
	oldest, older, old := folder("tool-oldest", 4000, 9*time.Hour), folder("other-older", 4000, 8*time.Hour), folder("tool-old", 4000, 7*time.Hour)
	killed, busy, venv := folder("build-1", 1, 2*abandoned), folder("build-2", 90_000, abandoned/2), folder("python", 90_000, 9*time.Hour)
	_, made, err := s.Get("other", "older", write(""))
	require.NoError(t, err)
	require.False(t, made)
	_, _, err = s.Get("tool", "new", write("new"))
	require.NoError(t, err)
	require.NoDirExists(t, killed)
	require.NoDirExists(t, oldest)
	for _, path := range []string{older, old, busy, venv} {
		require.DirExists(t, path)
	}
	used := folder("tool-used", 90_000, recent/2)
	_, _, err = s.Get("tool", "newer", write("newer"))
	require.NoError(t, err)
	require.NoDirExists(t, old)
	require.DirExists(t, used, "another process may be starting it")
}

func TestDefaultFolder(t *testing.T) {
	user, err := os.UserCacheDir()
	require.NoError(t, err)
	s, err := Open("")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(user, "hotline"), s.dir)
}

func TestKey(t *testing.T) {
	require.NotEqual(t, Key("a", "b"), Key("ab"))
	require.NotEqual(t, Key("a", "b"), Key("b", "a"))
	require.Equal(t, Key("a", "b"), Key("a", "b"))
}
