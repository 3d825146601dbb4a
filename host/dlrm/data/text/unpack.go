package text

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxWindow limits the memory that a zstd file may require. The --ultra levels of zstd need 128
// MiB.
const maxWindow = 128 << 20

// file is an open file, decompressed if necessary.
type file struct {
	raw     io.ReadSeekCloser
	done    int64 // bytes read so far
	broken  error // read error, or nil
	packing string
	unzstd  *zstd.Decoder
	lines   *bufio.Reader
}

// Read reads the raw file and records the progress and the error.
func (f *file) Read(p []byte) (int, error) {
	n, err := f.raw.Read(p)
	f.done += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		f.broken = err
	}
	return n, err
}

// start detects the compression and initializes the decompression.
func (f *file) start() error {
	raw := bufio.NewReaderSize(f, maxLine)
	magic, _ := raw.Peek(4)
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		f.packing = "gzip"
		z, err := gzip.NewReader(raw)
		if err != nil {
			return err
		}
		f.lines = bufio.NewReaderSize(z, maxLine)
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		f.packing = "zstd"
		z, err := zstd.NewReader(raw, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return err
		}
		f.unzstd = z
		f.lines = bufio.NewReaderSize(z, maxLine)
	default:
		f.lines = raw
	}
	return nil
}

// skip continues at a byte of the decompressed file.
func (f *file) skip(to int64) error {
	if f.packing == "" {
		at, err := f.raw.Seek(to, io.SeekStart)
		f.done = at
		f.lines.Reset(f)
		return err
	}
	_, err := io.CopyN(io.Discard, f.lines, to)
	return err
}

func (f *file) close() error {
	if f.unzstd != nil {
		f.unzstd.Close()
	}
	return f.raw.Close()
}

// explain returns the problem, and whether the file looks truncated, if err is caused by the
// compressed data. It returns "" if reading failed.
func (f *file) explain(err error) (problem string, cutOff bool) {
	switch {
	case f.broken != nil || f.packing == "":
		return "", false
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the " + f.packing + " data ends early", true
	}
	return "the " + f.packing + " data is damaged (" + err.Error() + ")", false
}
