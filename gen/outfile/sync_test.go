package outfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// synced is a sync of a file with some content, or of a folder, and the content of the path at that
// time.
type synced struct{ what, path string }

// recordSyncs records the syncs until the end of the test. look returns the content of the path.
func recordSyncs(t *testing.T, look func() string) *[]synced {
	t.Helper()
	list := &[]synced{}
	before := syncFile
	t.Cleanup(func() { syncFile = before })
	syncFile = func(f *os.File) error {
		what := "folder " + filepath.Base(f.Name())
		if info, err := f.Stat(); err == nil && !info.IsDir() {
			content := make([]byte, info.Size())
			_, err := f.ReadAt(content, 0)
			require.NoError(t, err)
			what = string(content)
		}
		*list = append(*list, synced{what, look()})
		return before(f)
	}
	return list
}

// had returns the content of a file that may not exist.
func had(path string) string {
	content, err := os.ReadFile(path)
	if err != nil {
		return "nothing"
	}
	return string(content)
}

// ways returns the functions that replace the content of a file.
func ways() map[string]func(path string) error {
	write := func(w io.Writer) error {
		_, err := io.WriteString(w, "new")
		return err
	}
	return map[string]func(path string) error{
		"Write":        func(path string) error { return Write(path, write) },
		"WriteBytes":   func(path string) error { return WriteBytes(path, []byte("new")) },
		"WriteProgram": func(path string) error { return WriteProgram(path, []byte("new")) },
		"Replace": func(path string) error {
			f, err := Replace(path, write)
			if err == nil {
				err = f.Close()
			}
			return err
		},
		"Set": func(path string) error {
			var s Set
			if err := s.Add(path, []byte("new")); err != nil {
				return err
			}
			return errors.Join(s.Commit(), s.Close())
		},
	}
}

// TestSyncs: the complete content is synced while the path has the old content. The folder is
// synced when the path has the new content. A sync that is missing or late changes the list.
func TestSyncs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders are not synced")
	}
	for name, write := range ways() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "file")
			require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
			list := recordSyncs(t, func() string { return had(path) })
			require.NoError(t, write(path))
			require.Equal(t, []synced{{"new", "old"}, {"folder " + filepath.Base(dir), "new"}}, *list)
		})
	}
}

// TestPublishSyncs: all files and folders are synced before the folder is renamed, and then its
// parent folder.
func TestPublishSyncs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders are not synced")
	}
	dir := t.TempDir()
	work, path := filepath.Join(dir, "work"), filepath.Join(dir, "done")
	require.NoError(t, Folder(filepath.Join(work, "inner")))
	require.NoError(t, Scratch(filepath.Join(work, "a"), []byte("new a")))
	require.NoError(t, Scratch(filepath.Join(work, "inner", "b"), []byte("new b")))
	list := recordSyncs(t, func() string { return had(filepath.Join(path, "a")) })
	require.NoError(t, Publish(work, path))
	require.Equal(t, []synced{{"folder work", "nothing"}, {"new a", "nothing"}, {"folder inner", "nothing"}, {"new b", "nothing"},
		{"folder " + filepath.Base(dir), "new a"}}, *list)
}

// TestSyncIsReal: syncFile calls the system, which refuses a closed file.
func TestSyncIsReal(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	require.NoError(t, syncFile(file))
	require.NoError(t, file.Close())
	require.ErrorIs(t, syncFile(file), os.ErrClosed)
}

// TestFailedSync: content that cannot be synced is not put in place.
func TestFailedSync(t *testing.T) {
	broken := errors.New("broken")
	before := syncFile
	defer func() { syncFile = before }()
	syncFile = func(*os.File) error { return broken }
	for name, write := range ways() {
		dir := t.TempDir()
		path := filepath.Join(dir, "file")
		require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
		require.ErrorIs(t, write(path), broken, name)
		require.Equal(t, "old", had(path), name)
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, e := range entries {
			require.False(t, strings.HasPrefix(e.Name(), prefix), "%s leaves %s", name, e.Name())
		}
	}
	work := filepath.Join(t.TempDir(), "work")
	require.NoError(t, Folder(work))
	require.NoError(t, Scratch(filepath.Join(work, "a"), nil))
	require.ErrorIs(t, Publish(work, work+"-done"), broken)
	require.NoDirExists(t, work+"-done")
}
