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
	"os"
	"slices"
)

// partial ends the name of a file that is not whole yet.
const partial = ".part"

// Write makes a file, in place of one of that name. Until it is whole it has
// another name, which ends with ".part". Errors: those of the file system; an
// array has more or fewer numbers than its shape.
func Write(path string, metadata map[string]string, tensors []Tensor) (err error) {
	f, err := os.Create(path + partial)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(path+partial))
		}
	}()
	err = errors.Join(write(f, metadata, inOrder(tensors)), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(path+partial, path)
}

// inOrder puts wide numbers first, so that all lie at multiples of their sizes.
func inOrder(tensors []Tensor) []Tensor {
	return slices.SortedStableFunc(slices.Values(tensors), func(a, b Tensor) int { return cmp.Compare(sizes[b.dtype], sizes[a.dtype]) })
}

func write(f *os.File, metadata map[string]string, tensors []Tensor) error {
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
	if _, err := f.Seek(int64(len(header)), io.SeekStart); err != nil {
		return err
	}
	if err := writeArrays(f, sum, tensors); err != nil {
		return err
	}
	if header, err = encode(metadata, hex.EncodeToString(sum.Sum(nil)), entries); err != nil {
		return err
	}
	if _, err := f.WriteAt(header, 0); err != nil {
		return err
	}
	return f.Sync()
}

// writeArrays writes arrays one behind the other, and to the checksum.
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

// counter counts the bytes that pass.
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
