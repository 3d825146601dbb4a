package index

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestIDs compares IDs with a map.
func TestIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfN(rapid.OneOf(rapid.Uint64Range(0, 20), rapid.Uint64Range(0, Missing)), 0, 300).Draw(t, "ids")
		var s IDs
		want := map[uint64]uint32{}
		for _, id := range ids {
			row, known := s.Row(id)
			first, added := want[id]
			require.Equal(t, added, known)
			require.Equal(t, first, row)
			if !added {
				want[id] = uint32(len(want))
			}
			require.Equal(t, want[id], s.Add(id))
		}
		require.Equal(t, len(want), s.Len())
		for id, row := range want {
			require.Equal(t, id, s.ID(row))
		}
		packed, err := s.GobEncode()
		require.NoError(t, err)
		var again IDs
		require.NoError(t, again.GobDecode(packed))
		require.Equal(t, s.list, again.list)
		require.Equal(t, s.missing, again.missing)
	})
}

func TestRules(t *testing.T) {
	var ids IDs
	for _, id := range []uint64{77, Missing, 5} {
		ids.Add(id)
	}
	first := NewMap([]Rule{FirstPass, FirstPass}, []IDs{{}, ids})
	require.Equal(t, []int{1, 3}, []int{first.Rows(0), first.Rows(1)})
	require.Equal(t, []uint32{0, 1, 2, 0}, []uint32{first.Row(1, 77), first.Row(1, Missing), first.Row(1, 5), first.Row(1, 6)})

	modulo := NewMap([]Rule{MaxIndRange(1000)}, nil)
	require.Equal(t, 1000, modulo.Rows(0))
	require.Equal(t, []uint32{999, 0, 295, 0}, []uint32{modulo.Row(0, 999), modulo.Row(0, 1000), modulo.Row(0, 1<<32-1), modulo.Row(0, Missing)})

	hash := NewMap(slices.Repeat([]Rule{Hash(1000)}, 4), nil)
	require.Equal(t, 1000, hash.Rows(0))
	counts, same := make([]int, 1000), 0
	for id := range uint64(100000) {
		row := hash.Row(2, id)
		counts[row]++
		if hash.Row(3, id) == row {
			same++
		}
	}
	for _, n := range counts {
		require.InDelta(t, 100, n, 60)
	}
	require.InDelta(t, 100, same, 60, "columns are hashed apart")
	require.Equal(t, hash.Row(0, 1), NewMap([]Rule{Hash(1000)}, nil).Row(0, 1))
}

func TestParseRule(t *testing.T) {
	for text, want := range map[string]Rule{"first-pass": FirstPass, "hash:1": Hash(1), "max-ind-range:4294967296": MaxIndRange(1 << 32)} {
		r, err := ParseRule(text)
		require.NoError(t, err)
		require.Equal(t, want, r)
		require.Equal(t, text, r.String())
	}
	for _, text := range []string{"", "hash", "hash:", "hash:x", "mod:3", "first-pass:3", ":3"} {
		_, err := ParseRule(text)
		require.EqualError(t, err, `index rule "`+text+`", expected first-pass, hash:ROWS or max-ind-range:ROWS`)
	}
	for _, text := range []string{"hash:0", "hash:-1", "max-ind-range:4294967297"} {
		_, err := ParseRule(text)
		require.ErrorContains(t, err, "index rule "+text+": tables of ")
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	log, path := filepath.Join(dir, "log"), filepath.Join(dir, "log.index")
	require.NoError(t, os.WriteFile(log, []byte("some log"), 0o600))
	stampOf := func(how string) stamp {
		s, err := newStamp([]string{log}, how)
		require.NoError(t, err)
		return s
	}
	want := map[string]int64{"inputs": 45}
	s := stampOf("criteo")
	require.NoError(t, save(path, s, want))
	var got map[string]int64
	require.NoError(t, load(path, s, &got))
	require.Equal(t, want, got)

	require.ErrorIs(t, load(path, stampOf("avazu"), &got), errStale)
	require.NoError(t, os.Chtimes(log, time.Time{}, time.Unix(1e9, 0)))
	require.ErrorIs(t, load(path, stampOf("criteo"), &got), errStale, "a time of change")
	require.NoError(t, os.WriteFile(log, []byte("same log"), 0o600))
	require.NoError(t, os.Chtimes(log, time.Time{}, time.Unix(1e9, 0)))
	other := stampOf("criteo")
	require.NoError(t, save(path, other, want))
	require.NoError(t, os.WriteFile(log, []byte("same leg"), 0o600))
	require.NoError(t, os.Chtimes(log, time.Time{}, time.Unix(1e9, 0)))
	require.ErrorIs(t, load(path, stampOf("criteo"), &got), errStale, "a content")
	large := make([]byte, 1<<20)
	require.NoError(t, os.WriteFile(log, large, 0o600))
	require.NoError(t, os.Chtimes(log, time.Time{}, time.Unix(1e9, 0)))
	before := stampOf("criteo")
	large[1<<20-3] = 1
	require.NoError(t, os.WriteFile(log, large, 0o600))
	require.NoError(t, os.Chtimes(log, time.Time{}, time.Unix(1e9, 0)))
	require.NotEqual(t, before, stampOf("criteo"), "the end of a large log")
	require.ErrorIs(t, load(filepath.Join(dir, "none"), s, &got), os.ErrNotExist)
	require.ErrorIs(t, save(filepath.Join(dir, "none", "x"), s, want), os.ErrNotExist)

	require.Error(t, save(path, s, func() {}), "nothing that can be saved")
	require.NoError(t, load(path, other, &got), "the old file is still there")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 2, "and nothing else")
}

// TestKeep: the result for a large log is kept next to it.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	large, small := filepath.Join(dir, "large"), filepath.Join(dir, "small")
	require.NoError(t, os.WriteFile(large, nil, 0o600))
	require.NoError(t, os.Truncate(large, worthKeeping))
	require.NoError(t, os.WriteFile(small, nil, 0o600))
	made := 0
	find := func() (*int, error) { made++; return &made, nil }
	for _, c := range []struct {
		file, log string
		made      int
	}{{"", large, 1}, {"", large, 1}, {"", small, 2}, {"", small, 3}, {filepath.Join(dir, "x"), small, 4}, {filepath.Join(dir, "x"), small, 4}} {
		_, err := Keep(c.file, []string{c.log}, "", find)
		require.NoError(t, err)
		require.Equal(t, c.made, made, "%v", c)
	}
	require.FileExists(t, large+".index")
	broken := errors.New("broken")
	_, err := Keep("", []string{small}, "", func() (*int, error) { return nil, broken })
	require.ErrorIs(t, err, broken)
	_, err = Keep("", []string{filepath.Join(dir, "none")}, "", find)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.True(t, cannotWrite(&os.PathError{Err: syscall.EACCES}))
	require.True(t, cannotWrite(&os.PathError{Err: syscall.EROFS}))
	require.False(t, cannotWrite(&os.PathError{Err: syscall.ENOSPC}))
}

// FuzzLoad: load rejects a file that was not written by save.
func FuzzLoad(f *testing.F) {
	path := filepath.Join(f.TempDir(), "index")
	var s stamp
	var ids IDs
	ids.Add(7)
	require.NoError(f, save(path, s, &ids))
	whole, err := os.ReadFile(path)
	require.NoError(f, err)
	for _, seed := range [][]byte{nil, []byte(magic), whole[:len(whole)-1], whole[:len(magic)+len(s)], append(whole, 0)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		require.NoError(t, os.WriteFile(path, content, 0o600))
		var got IDs
		require.Error(t, load(path, s, &got))
		require.Error(t, errors.Join(got.GobDecode(content[:min(len(content), 7)])))
		if got.GobDecode(content) == nil {
			require.LessOrEqual(t, 4*got.Len(), len(content))
		}
	})
}
