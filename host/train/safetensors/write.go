package safetensors

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/hotline-rtl/hotline/gen/outfile"
)

// Write writes a file atomically with package outfile, and replaces an existing file. It returns an
// [outfile.Error], or an error if the number of an array's values does not match its shape.
func Write(path string, metadata map[string]string, tensors []Tensor) error {
	f, err := outfile.Create(path)
	if err != nil {
		return err
	}
	if err := write(f, metadata, inOrder(tensors)); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Commit()
}

// inOrder puts wide numbers first, so that all arrays are aligned.
func inOrder(tensors []Tensor) []Tensor {
	return slices.SortedStableFunc(slices.Values(tensors), func(a, b Tensor) int { return cmp.Compare(sizes[b.dtype], sizes[a.dtype]) })
}

func write(f *outfile.File, metadata map[string]string, tensors []Tensor) error {
	var entries []entry
	at := int64(0)
	for _, t := range tensors {
		n := sizeOf(t.dtype, t.shape)
		if n < 0 {
			return fmt.Errorf("safetensors: array %q has shape %v, expected widths of 0 or more", t.name, t.shape)
		}
		entries = append(entries, entry{t.name, t.dtype, t.shape, [2]int64{at, at + n}})
		at += n
	}
	header, err := encode(metadata, noChecksum, entries)
	if err != nil {
		return err
	}
	sum := sha256.New()
	sum.Write(header)
	if _, err := f.Write(header); err != nil { // a placeholder for the header with the checksum
		return err
	}
	if err := writeArrays(f, sum, tensors); err != nil {
		return err
	}
	if header, err = encode(metadata, hex.EncodeToString(sum.Sum(nil)), entries); err != nil {
		return err
	}
	_, err = f.WriteAt(header, 0)
	return err
}

// writeArrays writes arrays to f and to the checksum.
func writeArrays(f io.Writer, sum hash.Hash, tensors []Tensor) error {
	out := bufio.NewWriterSize(io.MultiWriter(f, sum), 1<<16)
	for _, t := range tensors {
		c := counter{to: out}
		if err := t.write(&c); err != nil {
			return err
		}
		if want := sizeOf(t.dtype, t.shape); c.n != want {
			return fmt.Errorf("safetensors: array %q has %d bytes, expected %d for shape %v", t.name, c.n, want, t.shape)
		}
	}
	return out.Flush()
}

// counter counts the bytes written through it.
type counter struct {
	to io.Writer
	n  int64
}

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}
