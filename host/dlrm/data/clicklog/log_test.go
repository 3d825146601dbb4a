package clicklog_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/datatest"
	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
	"github.com/hotline-rtl/hotline/host/dlrm/data/schema"
	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// format has lines with a number, which is the dense feature, and an id: "1 ff".
var format = parse(`
format    = "csv"
separator = " "
header    = true
columns   = ["n", "id"]

label "n" {
  positive = ["1"]
}

dense {
  columns  = ["n"]
  kind     = "integer"
  required = true
}

categorical {
  columns  = ["id"]
  kind     = "hexadecimal"
  required = true
}
`)

func parse(text string) *schema.Schema {
	s, err := schema.Parse("test.hcl", []byte(text))
	if err != nil {
		panic(err)
	}
	return s
}

// write writes files and returns their paths.
func write(t testing.TB, contents ...string) (paths []string) {
	dir := t.TempDir()
	for i, content := range contents {
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("f%d", i)))
		require.NoError(t, os.WriteFile(paths[i], []byte(content), 0o600))
	}
	return paths
}

func open(t testing.TB, paths []string, o clicklog.Options) *clicklog.Log {
	log, err := clicklog.Open(t.Context(), format, paths, o)
	require.NoError(t, err)
	return log
}

// read reads the numbers of all inputs from an input on.
func read(t testing.TB, s data.Source, at int64) (got []float32) {
	r, err := s.Open(at)
	require.NoError(t, err)
	defer func() { require.NoError(t, r.Close()) }()
	var b dlrm.Batch
	for {
		if err := r.Read(&b, 1000); errors.Is(err, io.EOF) {
			return b.Dense
		} else if err != nil {
			require.NoError(t, err)
		}
		require.Len(t, b.Dense, b.Len())
		require.Len(t, b.Sparse, b.Len())
	}
}

// numbered returns the lines from, from+1, ..., to-1 after a header.
func numbered(from, to int) string {
	var b strings.Builder
	b.WriteString("n id\n")
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "%d %x\n", i, i*7919%1000)
	}
	return b.String()
}

func gz(t testing.TB, content string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(content))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

func zst(t testing.TB, content string) string {
	z, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	return string(z.EncodeAll([]byte(content), nil))
}

// TestResume starts to read at many inputs, before and after the marks are known, with and without
// a first pass, over files in several encodings.
func TestResume(t *testing.T) {
	const n = 200_000 // several marks
	paths := write(t, numbered(0, 90_000), gz(t, numbered(90_000, 150_000)), zst(t, numbered(150_000, 150_001)), strings.ReplaceAll(numbered(150_001, n), "\n", "\r\n"))
	for _, rule := range []index.Rule{index.FirstPass, index.Hash(50)} {
		log := open(t, paths, clicklog.Options{Rule: rule})
		count, known := log.Len()
		require.Equal(t, rule == index.FirstPass, known)
		if known {
			require.EqualValues(t, n, count)
		}
		for range 2 {
			for _, at := range []int64{1, 65_535, 65_536, 89_999, 90_000, 131_072, 150_000, 150_001, n - 1, 0} {
				got := read(t, log, at)
				require.Len(t, got, int(n-at), "from %d on", at)
				require.EqualValues(t, at, got[0])
				require.EqualValues(t, n-1, got[len(got)-1])
			}
			require.Empty(t, read(t, log, n))
			require.Empty(t, read(t, log, 2*n))
		}
	}
}

// TestMarks: data before the mark of an input is not read again.
func TestMarks(t *testing.T) {
	paths := write(t, numbered(0, 150_000))
	for _, rule := range []index.Rule{index.FirstPass, index.Hash(50)} {
		log := open(t, paths, clicklog.Options{Rule: rule})
		require.Len(t, read(t, log, 0), 150_000)
		f, err := os.OpenFile(paths[0], os.O_RDWR, 0)
		require.NoError(t, err)
		_, err = f.WriteAt([]byte("spoilt"), 5000)
		require.NoError(t, err)
		require.Equal(t, float32(65_536), read(t, log, 65_536)[0])
		require.Equal(t, float32(149_999), read(t, log, 149_999)[0])
		_, err = log.Open(65_535)
		require.ErrorContains(t, err, paths[0]+":662: ")
		_, err = f.WriteAt([]byte(numbered(0, 150_000)[5000:5006]), 5000)
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
}

// TestConcurrentReaders: concurrent readers of one log do not affect each other.
func TestConcurrentReaders(t *testing.T) {
	log := open(t, write(t, numbered(0, 140_000)), clicklog.Options{Rule: index.Hash(50), Quarantine: text.NewQuarantine(1, nil)})
	var wait sync.WaitGroup
	var got [4][]float32
	for i := range got {
		wait.Go(func() { got[i] = read(t, log, int64(30_000*i)) })
	}
	wait.Wait()
	for i := range got {
		require.Equal(t, got[0][30_000*i:], got[i])
	}
}

// TestTablesDoNotDependOnWhatIsRead: neither table sizes nor rows depend on the part that is read.
func TestTablesDoNotDependOnWhatIsRead(t *testing.T) {
	paths := write(t, numbered(0, 5000), numbered(5000, 6000))
	for rule, rows := range map[index.Rule]int{index.FirstPass: 1000, index.Hash(77): 77, index.MaxIndRange(99): 99} {
		log := open(t, paths, clicklog.Options{Rule: rule})
		require.Equal(t, data.Shape{Dense: 1, Tables: []dlrm.Table{{Name: "id", Rows: rows, Lookups: 1}}}, log.Shape())
		part, err := log.Part(1, 2)
		require.NoError(t, err)
		require.Equal(t, log.Shape(), part.Shape())
		require.Equal(t, []string{"f0 and 1 more", "f1"}, []string{log.Name(), part.Name()})
		whole, err := datatest.Read(log, 0)
		require.NoError(t, err)
		last, err := datatest.Read(part, 0)
		require.NoError(t, err)
		require.Equal(t, whole[5000:], last)
		_, known := part.Len()
		require.False(t, known)
		_, err = log.Part(1, 3)
		require.EqualError(t, err, "f0 and 1 more: files 1 to 3, expected a part of its 2 files")
	}
}

func TestQuarantine(t *testing.T) {
	lines := "n id\n0 0\nx 1\n1 1\n2\n" + strings.Repeat("9", 70000) + "\n2 zz\n2 2\n3 \x003\n3 3\n4"
	paths := write(t, lines)
	_, err := clicklog.Open(t.Context(), format, paths, clicklog.Options{})
	require.EqualError(t, err, paths[0]+`:3: column n (field 1): "x" is not an integer`)

	for _, rule := range []index.Rule{index.FirstPass, index.Hash(10)} {
		q := text.NewQuarantine(6, nil)
		log := open(t, paths, clicklog.Options{Rule: rule, Quarantine: q})
		for range 2 {
			require.Equal(t, []float32{0, 1, 2, 3}, read(t, log, 0))
			require.Equal(t, []float32{2, 3}, read(t, log, 2))
		}
		n, kinds := q.Lines()
		require.Equal(t, 6, n)
		require.Equal(t, map[string]int{"not an integer": 1, "wrong number of fields": 2, "too long": 1, "not a hexadecimal id of 1 to 8 digits": 2}, kinds)
		require.EqualError(t, q.First()[5], paths[0]+":11: 1 fields, expected 2 (n, id, separated by ' '), and no newline: the file looks cut off")

		log, err = clicklog.Open(t.Context(), format, paths, clicklog.Options{Rule: rule, Quarantine: text.NewQuarantine(5, nil)})
		if rule != index.FirstPass {
			require.NoError(t, err)
			_, err = datatest.Read(log, 0)
		}
		require.EqualError(t, err, paths[0]+":11: 1 fields, expected 2 (n, id, separated by ' '), and no newline: the file looks cut off; this is one bad line more than the 5 that may be skipped")
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ content, want string }{
		{"", ": the file is empty, expected a header and lines of 2 ' '-separated fields"},
		{"n id", ": there is not a single good line, expected a header and lines of 2 ' '-separated fields"},
		{"0 0\n", `:1: the first line begins with "0 0", expected the header n id`},
		{"n id\n0 0\n" + gz(t, numbered(1, 9)), ""},
		{gz(t, numbered(0, 9))[:30], ": the gzip data ends early: the file looks cut off"},
	} {
		paths := write(t, c.content)
		_, err := clicklog.Open(t.Context(), format, paths, clicklog.Options{})
		require.ErrorContains(t, err, paths[0])
		require.ErrorContains(t, err, c.want)
		if log, err := clicklog.Open(t.Context(), format, paths, clicklog.Options{Rule: index.Hash(9)}); err == nil {
			set, err := datatest.Read(log, 0)
			require.True(t, err != nil || len(set) == 0)
		}
	}
	_, err := clicklog.Open(t.Context(), format, nil, clicklog.Options{})
	require.EqualError(t, err, "no files, expected at least one path")
	_, err = clicklog.Open(t.Context(), format, write(t, ""), clicklog.Options{Rule: index.Hash(0)})
	require.ErrorContains(t, err, "tables of 0 rows")
	_, err = clicklog.Open(t.Context(), format, []string{os.DevNull}, clicklog.Options{})
	require.EqualError(t, err, os.DevNull+" can be read only once, expected a regular file, or an index rule that needs no first pass")
}

// TestOpenFailsBehindBadLines: Open reports bad lines before the requested input.
func TestOpenFailsBehindBadLines(t *testing.T) {
	paths := write(t, "n id\n0 0\n1 x\n2 2\n")
	log := open(t, paths, clicklog.Options{Rule: index.Hash(9)})
	_, err := log.Open(2)
	require.EqualError(t, err, paths[0]+`:3: column id (field 2): "x" is not a hexadecimal id of 1 to 8 digits`)
}

// TestFirstPassIsKept: the result of the first pass is kept in a file. The pass is repeated when
// the log or the file has changed.
func TestFirstPassIsKept(t *testing.T) {
	paths := write(t, numbered(0, 100_000))
	file := paths[0] + ".ids"
	passes := 0
	o := clicklog.Options{Index: file, Progress: func(done, all int64) {
		if done == 0 {
			passes++
		}
		require.LessOrEqual(t, done, all)
	}}
	want := open(t, paths, o)
	require.Equal(t, 1, passes)
	set, err := datatest.Read(want, 0)
	require.NoError(t, err)

	kept := open(t, paths, o)
	require.Equal(t, 1, passes, "it is kept")
	again, err := datatest.Read(kept, 0)
	require.NoError(t, err)
	require.Equal(t, set, again)
	require.Equal(t, want.Shape(), kept.Shape())
	n, _ := kept.Len()
	require.EqualValues(t, 100_000, n)
	require.EqualValues(t, 70_000, read(t, kept, 70_000)[0])

	other := o
	other.Quarantine = text.NewQuarantine(9, nil)
	open(t, paths, other)
	require.Equal(t, 2, passes, "bad lines would be skipped")
	open(t, paths, o)
	require.Equal(t, 3, passes)
	require.NoError(t, os.Chtimes(paths[0], time.Time{}, time.Unix(1e9, 0)))
	open(t, paths, o)
	require.Equal(t, 4, passes, "the log has changed")
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	whole[len(whole)/2] ^= 1
	require.NoError(t, os.WriteFile(file, whole, 0o600))
	open(t, paths, o)
	require.Equal(t, 5, passes, "the file is damaged")

	o.Index = filepath.Join(t.TempDir(), "none", "x")
	_, err = clicklog.Open(t.Context(), format, paths, o)
	require.ErrorIs(t, err, os.ErrNotExist)
	left, err := os.ReadDir(filepath.Dir(paths[0]))
	require.NoError(t, err)
	require.Len(t, left, 2, "a small log is not kept without being told where")
}

func TestFirstPassCanBeEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	paths := write(t, numbered(0, 200_000))
	_, err := clicklog.Open(ctx, format, paths, clicklog.Options{Progress: func(done, _ int64) {
		if done > 0 {
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
}
