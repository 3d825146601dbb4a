//go:build unix

package outfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/outfile"
)

// TestReplace: the path has the new content, also if it is a link, with the permissions of the old
// file. Later writes append to it. If write fails, the path keeps its old content.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o640))
	require.NoError(t, os.Symlink(path, link))
	write := func(text string) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		}
	}
	file, err := outfile.Replace(link, write("new"))
	require.NoError(t, err)
	_, err = io.WriteString(file, " and more")
	require.NoError(t, err)
	require.NoError(t, file.Close())
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "new and more", string(got))
	info, err := os.Lstat(path)
	require.NoError(t, err)
	require.EqualValues(t, 0o640, info.Mode())

	broken := errors.New("broken")
	_, err = outfile.Replace(path, func(w io.Writer) error { return errors.Join(write("half")(w), broken) })
	require.ErrorIs(t, err, broken)
	_, err = outfile.Replace(os.DevNull, write("x"))
	require.ErrorIs(t, err, outfile.ErrKind)
	again, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, got, again)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2, "nothing else is left")
}
