package safetensors

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"math"
	"os"
	"slices"
)

// File is the content of a file.
type File struct {
	Metadata map[string]string
	path     string
	arrays   map[string]array
}

type array struct {
	shape []int
	f32   []float32 // the numbers, if of type F32
	i64   []int64   // the numbers, if of type I64
}

// Read reads a file that Write wrote. It returns an error if the file cannot be read, has another
// format, is incomplete, or was changed.
func Read(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	out := &File{path: path, arrays: map[string]array{}}
	if err := out.read(bufio.NewReaderSize(f, 1<<16), info.Size()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

// read reads a file of size bytes.
func (f *File) read(from io.Reader, size int64) error {
	header, err := readHeader(from, size)
	if err != nil {
		return err
	}
	var entries []entry
	if f.Metadata, entries, err = decode(header[lengthBytes:], size-int64(len(header))); err != nil {
		return err
	}
	want := f.Metadata[checksumKey]
	if len(want) != checksumHexs {
		return fmt.Errorf("no %s in its metadata: it was not written by this program", checksumKey)
	}
	delete(f.Metadata, checksumKey)
	sum := sha256.New()
	sum.Write(bytes.Replace(header, []byte(want), []byte(noChecksum), 1))
	for _, e := range entries {
		if f.arrays[e.name], err = readArray(from, sum, e); err != nil {
			return err
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		return fmt.Errorf("the file is damaged: its SHA-256 is %s, expected %s", got, want)
	}
	return nil
}

// readHeader reads the header of a file of size bytes, including the length that precedes it.
func readHeader(from io.Reader, size int64) ([]byte, error) {
	length := make([]byte, lengthBytes)
	if _, err := io.ReadFull(from, length); err != nil {
		return nil, fmt.Errorf("%d bytes are not a safetensors file", size)
	}
	n := binary.LittleEndian.Uint64(length)
	if n > headerMost || int64(n) > size-lengthBytes {
		return nil, fmt.Errorf("a header of %d bytes in a file of %d: it is not a safetensors file, or it is cut off", n, size)
	}
	header := append(length, make([]byte, n)...)
	_, err := io.ReadFull(from, header[lengthBytes:])
	return header, err
}

// readArray reads an array and adds it to the checksum.
func readArray(from io.Reader, sum hash.Hash, e entry) (array, error) {
	a, left := array{shape: e.Shape}, e.Offsets[1]-e.Offsets[0]
	buf := make([]byte, 1<<16)
	for left > 0 {
		part := buf[:min(left, int64(len(buf)))]
		if _, err := io.ReadFull(from, part); err != nil {
			return a, err
		}
		sum.Write(part)
		left -= int64(len(part))
		for i := 0; i < len(part); i += sizes[e.DType] {
			if e.DType == typeF32 {
				a.f32 = append(a.f32, math.Float32frombits(binary.LittleEndian.Uint32(part[i:])))
			} else {
				a.i64 = append(a.i64, int64(binary.LittleEndian.Uint64(part[i:])))
			}
		}
	}
	return a, nil
}

// Errorf returns an error about the file, prefixed with its path.
func (f *File) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s: "+format, append([]any{f.path}, args...)...)
}

// F32 returns an array of type F32 and the given shape. It returns an error if there is none.
func (f *File) F32(name string, shape ...int) ([]float32, error) {
	a, err := f.array(name, shape)
	if err == nil && len(a.i64) > 0 {
		err = f.Errorf("array %q is of type %s, expected %s", name, typeI64, typeF32)
	}
	return a.f32, err
}

// I64 returns a one-dimensional array of type I64. It returns an error if there is none.
func (f *File) I64(name string) ([]int64, error) {
	a, err := f.array(name, []int{len(f.arrays[name].i64)})
	return a.i64, err
}

func (f *File) array(name string, shape []int) (array, error) {
	a, ok := f.arrays[name]
	if !ok {
		return a, f.Errorf("there is no array %q", name)
	}
	if !slices.Equal(a.shape, shape) {
		return a, f.Errorf("array %q has shape %v, expected %v", name, a.shape, shape)
	}
	return a, nil
}
