package sourcezip

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/buildcache"
)

// archive returns an archive of one file in a folder.
func archive(t *testing.T, name, text string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create(name)
	require.NoError(t, err)
	_, err = f.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// TestFolder: an archive is unpacked once, and another archive to another folder.
func TestFolder(t *testing.T) {
	dir, first := t.TempDir(), archive(t, "a/b/c.go", "package c\n")
	at, err := Folder(dir, first)
	require.NoError(t, err)
	file := filepath.Join(at, "a", "b", "c.go")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "package c\n", string(text))

	require.NoError(t, os.WriteFile(file, []byte("package changed\n"), 0o600))
	again, err := Folder(dir, first)
	require.NoError(t, err)
	require.Equal(t, at, again)
	text, err = os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "package changed\n", string(text), "not unpacked again")

	other, err := Folder(dir, archive(t, "a/b/c.go", "package d\n"))
	require.NoError(t, err)
	require.NotEqual(t, at, other)
}

// TestDamaged: a damaged archive leaves nothing.
func TestDamaged(t *testing.T) {
	dir, whole := t.TempDir(), archive(t, "a.go", "package a\n")
	for _, wrong := range [][]byte{whole[:len(whole)-9], bytes.Replace(whole, []byte("\x50\x4b\x03\x04"), []byte("\x50\x4b\x03\x05"), 1)} {
		_, err := Folder(dir, wrong)
		require.Error(t, err)
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
	_, err = Folder(filepath.Join(dir, "file", "\x00"), whole)
	require.ErrorAs(t, err, new(*buildcache.UnwritableError))
}

// TestOutside: no name leads out of the folder.
func TestOutside(t *testing.T) {
	dir := t.TempDir()
	_, _ = Folder(filepath.Join(dir, "store"), archive(t, "../../out.go", "package out\n"))
	require.NoFileExists(t, filepath.Join(dir, "out.go"))
	require.NoFileExists(t, filepath.Join(dir, "store", "out.go"))
}
