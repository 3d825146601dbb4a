package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestArchive reads an archive back. Each folder occurs once and precedes its contents, and sizes
// and data are at the offsets that the format specifies.
func TestArchive(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("hello"), 0o600))
	var b bytes.Buffer
	require.NoError(t, writeInitramfs(bufio.NewWriter(&b), []string{"init=" + file, "a/b/x=" + file, "a/b/y=" + file}))
	z, err := gzip.NewReader(&b)
	require.NoError(t, err)
	p, err := io.ReadAll(z)
	require.NoError(t, err)
	var names []string
	for len(p) > 0 {
		require.Equal(t, "070701", string(p[:6]))
		field := func(i int) int {
			v, err := strconv.ParseUint(string(p[6+8*i:][:8]), 16, 32)
			require.NoError(t, err)
			return int(v)
		}
		mode, size, name := field(1), field(6), field(11)
		names = append(names, string(p[110:][:name-1]))
		p = p[(110+name+3)&^3:]
		if mode == 0o100755 {
			require.Equal(t, "hello", string(p[:size]))
		}
		p = p[(size+3)&^3:]
	}
	require.Equal(t, []string{"init", "a", "a/b", "a/b/x", "a/b/y", "TRAILER!!!"}, names)
	require.EqualError(t, writeInitramfs(bufio.NewWriter(&b), []string{"init"}), `"init", expected NAME=FILE`)
}
