//go:build unix

package input_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/ui/input"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(in("ten"), []byte("0123456789"), 0o600))
	got, err := input.Read(in("ten"), 10)
	require.NoError(t, err)
	require.Equal(t, "0123456789", string(got))
	_, err = input.Read(in("ten"), 9)
	require.EqualError(t, err, in("ten")+": the file is larger than 9 B, the limit for files of its kind")
	_, err = input.Read(in("none"), 9)
	require.ErrorIs(t, err, os.ErrNotExist)

	for name, kind := range map[string]string{"/dev/zero": "device", "/dev/full": "device", "/dev/null": "device", dir: "folder"} {
		_, err := input.Read(name, 10)
		require.EqualError(t, err, name+" is a "+kind+"; expected a file or a pipe")
	}
	require.NoError(t, os.Symlink("/dev/zero", in("link")))
	_, err = input.Read(in("link"), 10)
	require.ErrorContains(t, err, "is a device")

	require.NoError(t, syscall.Mkfifo(in("pipe"), 0o600))
	for _, n := range []int{10, 11} {
		go func() { _ = os.WriteFile(in("pipe"), make([]byte, n), 0) }()
		_, err := input.Read(in("pipe"), 10)
		require.Equal(t, n > 10, err != nil, "%d bytes", n)
	}
}

func TestText(t *testing.T) {
	file := filepath.Join(t.TempDir(), "text")
	read := func(text string) (string, error) {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		got, err := input.Text(file, 100)
		return string(got), err
	}
	for _, text := range []string{"", "a", "a\x00b", "ab\xff\xfe"} {
		got, err := read(text)
		require.NoError(t, err)
		require.Equal(t, text, got)
	}
	got, err := read("\ufeffafter the mark")
	require.NoError(t, err)
	require.Equal(t, "after the mark", got)
	for _, text := range []string{"\xff\xfea\x00=\x00", "\xfe\xff\x00a\x00=", "a\x00=\x001\x00", "\x00a\x00=\x001", "\xff\xfe"} {
		_, err := read(text)
		require.EqualError(t, err, file+": the text is UTF-16; expected UTF-8")
	}
}
