package text

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// files writes files with these contents.
func files(t testing.TB, contents ...string) *Files {
	var paths []string
	for i, content := range contents {
		paths = append(paths, filepath.Join(t.TempDir(), fmt.Sprintf("f%d", i)))
		require.NoError(t, os.WriteFile(paths[i], []byte(content), 0o600))
	}
	f, err := NewFiles(paths, "lines of text")
	require.NoError(t, err)
	return f
}

// all reads all lines from a mark on.
func all(t testing.TB, f *Files, at Mark) (lines []string, marks []Mark) {
	l := f.Open(at)
	for {
		marks = append(marks, l.Mark())
		line, err := l.Next()
		if errors.Is(err, io.EOF) {
			require.NoError(t, l.Close())
			return lines, marks
		}
		require.NoError(t, err)
		lines = append(lines, string(line))
	}
}

func packGzip(t testing.TB, content string) string {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.NoCompression) // the result does not depend on the compressor
	require.NoError(t, err)
	_, err = z.Write([]byte(content))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

func packZstd(t testing.TB, content string) string {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(true))
	require.NoError(t, err)
	return string(z.EncodeAll([]byte(content), nil))
}

// TestResume reads several files, each in another encoding, starting at each of their lines.
func TestResume(t *testing.T) {
	f := files(t, "a\nb\n\nc", packGzip(t, "d\ne\n"), "\xef\xbb\xbff\r\ng\r\n", packZstd(t, "h\r\ni"), "\xef\xbb\xbfj")
	want := strings.Split("a b  c d e f g h i j", " ")
	lines, marks := all(t, f, Mark{})
	require.Equal(t, want, lines)
	require.Len(t, marks, len(want)+1)
	for i, mark := range marks {
		lines, _ := all(t, f, mark)
		require.Equal(t, strings.Join(want[i:], " "), strings.Join(lines, " "), "from mark %v", mark)
	}
	part, _ := all(t, f.Part(1, 3), Mark{})
	require.Equal(t, []string{"d", "e", "f", "g"}, part)
}

func TestPlaces(t *testing.T) {
	f := files(t, "a\nb", "c\n")
	l := f.Open(Mark{})
	var got []string
	for {
		line, err := l.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		path, number := l.Place()
		got = append(got, fmt.Sprintf("%s %s:%d %v", line, filepath.Base(path), number, l.Ended()))
	}
	require.Equal(t, []string{"a f0:1 true", "b f0:2 false", "c f1:1 true"}, got)
	require.EqualValues(t, 5, l.Done())
	require.EqualValues(t, 5, f.Size())
	_, err := l.Next()
	require.ErrorIs(t, err, io.EOF, "still")

	l = f.Open(Mark{Line: 1, Byte: 2})
	require.Zero(t, l.Done())
	_, err = l.Next()
	require.NoError(t, err)
	require.EqualValues(t, 3, l.Done(), "with what was not read")
}

// TestPackedErrors pins the messages for damaged files.
func TestPackedErrors(t *testing.T) {
	content := strings.Repeat("0123456789\n", 10000)
	z, s := packGzip(t, content), packZstd(t, content)
	flip := func(packed string, from int) string {
		b := []byte(packed)
		b[len(b)-from] ^= 1
		return string(b)
	}
	for name, c := range map[string]struct{ content, want string }{
		"gzip cut off":          {z[:60000], ":5454: the gzip data ends early: the file looks cut off"},
		"gzip without its end":  {z[:len(z)-4], ":10001: the gzip data ends early: the file looks cut off"},
		"gzip header cut off":   {z[:5], ": the gzip data ends early: the file looks cut off"},
		"gzip check sum":        {flip(z, 6), ":10001: the gzip data is damaged (gzip: invalid checksum)"},
		"gzip header":           {"\x1f\x8b\x07" + z[3:], ": the gzip data is damaged (gzip: invalid header)"},
		"gzip body":             {z[:12] + "\xff\xff\xff" + z[15:], ":1: the gzip data is damaged (flate: corrupt input before offset 5)"},
		"zstd cut off":          {s[:len(s)-5], ":1: the zstd data ends early: the file looks cut off"},
		"zstd header cut off":   {s[:5], ":1: the zstd data ends early: the file looks cut off"},
		"zstd check sum":        {flip(s, 1), ":10001: the zstd data is damaged (CRC check failed)"},
		"zstd with huge window": {s[:4] + "\x00\xff" + s[6:], ":1: the zstd data is damaged (window size exceeded)"},
		"empty":                 {"", ": the file is empty, expected lines of text"},
		"empty gzip":            {packGzip(t, ""), ": the file is empty, expected lines of text"},
		"empty zstd":            {packZstd(t, ""), ": the file is empty, expected lines of text"},
	} {
		t.Run(name, func(t *testing.T) {
			f := files(t, c.content)
			l := f.Open(Mark{})
			defer l.Close()
			var err error
			for err == nil {
				_, err = l.Next()
			}
			require.EqualError(t, err, f.Paths()[0]+c.want)
			_, again := l.Next()
			require.EqualError(t, again, err.Error())
			var format *FormatError
			require.ErrorAs(t, err, &format)
			require.Empty(t, format.Kind, "reading cannot go on")
			require.Equal(t, strings.Contains(c.want, "cut off"), format.CutOff)
		})
	}
}

func TestNewFiles(t *testing.T) {
	_, err := NewFiles(nil, "")
	require.EqualError(t, err, "no files, expected at least one path")
	_, err = NewFiles([]string{filepath.Join(t.TempDir(), "absent")}, "")
	require.ErrorIs(t, err, os.ErrNotExist)
	dir := t.TempDir()
	_, err = NewFiles([]string{dir}, "lines of text")
	require.EqualError(t, err, dir+": this is a folder, expected a file with lines of text")
	require.NoError(t, files(t, "a").Rereadable())
	f, err := NewFiles([]string{os.DevNull}, "")
	require.NoError(t, err)
	require.EqualError(t, f.Rereadable(), os.DevNull+" can be read only once, expected a regular file")
}

// broken is a file whose reads fail.
type broken struct{ io.Reader }

func (broken) Seek(int64, int) (int64, error) { return 0, nil }
func (broken) Close() error                   { return nil }

// TestOtherErrorsKeepTheirCause: a read error is not reported as a damaged file.
func TestOtherErrorsKeepTheirCause(t *testing.T) {
	cause := errors.New("disk on fire")
	for name, content := range map[string]string{"plain": "a\nb\n", "gzip": packGzip(t, "a\nb\n"), "zstd": packZstd(t, "a\nb\n")} {
		t.Run(name, func(t *testing.T) {
			f := files(t, "a")
			f.open = func(string) (io.ReadSeekCloser, error) {
				return broken{io.MultiReader(strings.NewReader(content[:len(content)-1]), iotest.ErrReader(cause))}, nil
			}
			l := f.Open(Mark{})
			var err error
			for err == nil {
				_, err = l.Next()
			}
			require.ErrorIs(t, err, cause)
			require.NotContains(t, err.Error(), "data")
		})
	}
}

// TestLongLines: lines that are too long are rejected, and reading continues after them.
func TestLongLines(t *testing.T) {
	for _, n := range []int{maxLine, maxLine + 1, 3 * maxLine, 10 << 20} {
		f := files(t, "a\n"+strings.Repeat("x", n)+"\nb\n")
		l := f.Open(Mark{})
		_, err := l.Next()
		require.NoError(t, err)
		_, err = l.Next()
		require.EqualError(t, err, f.Paths()[0]+":2: the line is longer than 65536 bytes, expected lines of text")
		mark := l.Mark()
		line, err := l.Next()
		require.NoError(t, err)
		require.Equal(t, "b", string(line))
		lines, _ := all(t, f, mark)
		require.Equal(t, []string{"b"}, lines)
	}
	lines, _ := all(t, files(t, strings.Repeat("x", maxLine-1)+"\n"), Mark{})
	require.Len(t, lines[0], maxLine-1)
}

func TestQuarantine(t *testing.T) {
	bad := func(line int64, kind string) *FormatError {
		return &FormatError{File: "f", Line: line, Kind: kind, Problem: "bad"}
	}
	var none *Quarantine
	require.EqualError(t, none.Add(bad(1, "x"), nil), "f:1: bad")

	var copied strings.Builder
	q := NewQuarantine(12, &copied)
	for i := range int64(12) {
		require.NoError(t, q.Add(bad(i+1, []string{"odd", "even"}[i%2]), []byte("text")))
		require.NoError(t, q.Add(bad(i+1, "again"), nil), "a line counts once")
	}
	n, kinds := q.Lines()
	require.Equal(t, 12, n)
	require.Equal(t, map[string]int{"odd": 6, "even": 6}, kinds)
	require.Len(t, q.First(), 10)
	require.Equal(t, bad(1, "odd"), q.First()[0])
	require.Equal(t, "f:1: bad\ttext\nf:2: bad\ttext\n", copied.String()[:28])
	require.Equal(t, 12, strings.Count(copied.String(), "\n"))
	require.EqualError(t, q.Add(bad(13, "odd"), nil), "f:13: bad; this is one bad line more than the 12 that may be skipped")
	require.EqualError(t, NewQuarantine(9, nil).Add(bad(14, ""), nil), "f:14: bad", "reading cannot go on behind it")

	_, w, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.ErrorIs(t, NewQuarantine(9, w).Add(bad(1, "x"), nil), os.ErrClosed)
}

// FuzzLines: reading any file ends, and resuming at any line returns the rest.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{"", "a", "a\n", "\r\n\r", "\xef\xbb\xbf\n", "\x00\n\x00", packGzip(f, "a\nb\n"), packZstd(f, "a\nb\n"), "\x1f\x8b", "\x28\xb5\x2f\xfd\x00"} {
		f.Add([]byte(seed))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(dir, "f")
		require.NoError(t, os.WriteFile(path, content, 0o600))
		files, err := NewFiles([]string{path}, "lines")
		require.NoError(t, err)
		read := func(at Mark) (lines []string, marks []Mark, err error) {
			l := files.Open(at)
			defer l.Close()
			for range 1000 {
				marks = append(marks, l.Mark())
				line, err := l.Next()
				if err != nil {
					return lines, marks, err
				}
				lines = append(lines, string(line))
			}
			return lines, marks, io.EOF
		}
		lines, marks, err := read(Mark{})
		if !errors.Is(err, io.EOF) {
			require.Contains(t, err.Error(), path)
			return
		}
		for i := range min(len(lines), 10) {
			rest, _, err := read(marks[i])
			require.ErrorIs(t, err, io.EOF)
			require.Equal(t, lines[i], rest[0])
		}
	})
}
