package text

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxWindow bounds the memory that a zstd file may ask for; that of zstd's own --ultra is 128 MiB.
const maxWindow = 128 << 20

// file is an open file, unpacked.
type file struct {
	raw     io.ReadSeekCloser
	done    int64 // bytes of it that were read
	broken  error // why it could not be read, if so
	packing string
	unzstd  *zstd.Decoder
	lines   *bufio.Reader
}

// Read reads the raw file, and remembers how far and what failed.
func (f *file) Read(p []byte) (int, error) {
	n, err := f.raw.Read(p)
	f.done += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		f.broken = err
	}
	return n, err
}

// start unpacks from the start of the file, if it is packed.
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

// skip goes on at a byte of the unpacked file.
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

// explain returns the problem and whether the file looks cut off, if err comes from the packed data, not from reading it.
func (f *file) explain(err error) (problem string, cutOff bool) {
	switch {
	case f.broken != nil || f.packing == "":
		return "", false
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the " + f.packing + " data ends early", true
	}
	return "the " + f.packing + " data is damaged (" + err.Error() + ")", false
}
