package index

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/hotline-rtl/hotline/gen/outfile"
)

// magic is the beginning of a file written by save, with the format version.
const magic = "hotline index 1\n"

// stamp identifies the state of a log.
type stamp [sha256.Size]byte

// ends is the number of bytes at the beginning and at the end of a file that the stamp covers.
const ends = 64 << 10

// newStamp returns the stamp of files. It covers their sizes, modification times and ends, and the
// text how, which describes how they are read.
func newStamp(paths []string, how string) (stamp, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %d\n", how, len(paths))
	for _, path := range paths {
		if err := addFile(h, path); err != nil {
			return stamp{}, err
		}
	}
	return stamp(h.Sum(nil)), nil
}

func addFile(h hash.Hash, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintf(h, "%d %d\n", info.Size(), info.ModTime().UnixNano())
	for _, from := range []int64{0, max(0, info.Size()-ends)} {
		if _, err := io.Copy(h, io.NewSectionReader(f, from, ends)); err != nil {
			return err
		}
	}
	return nil
}

// save writes the result of a pass to a file: the magic, the stamp, the value as gob, and the
// SHA-256 of all that.
func save(path string, s stamp, found any) error {
	return outfile.Write(path, func(file io.Writer) error {
		out, sum := bufio.NewWriter(file), sha256.New()
		all := io.MultiWriter(out, sum)
		if _, err := all.Write(append([]byte(magic), s[:]...)); err != nil {
			return err
		}
		if err := gob.NewEncoder(all).Encode(found); err != nil {
			return err
		}
		if _, err := out.Write(sum.Sum(nil)); err != nil {
			return err
		}
		return out.Flush()
	})
}

// errStale reports that a file of save belongs to another state of the log.
var errStale = errors.New("the index is not of this state of the log")

// load reads a file of save into found, a pointer. It returns an error if the file does not exist
// (os.ErrNotExist), is stale (errStale) or is damaged.
func load(path string, s stamp, found any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	body := info.Size() - sha256.Size
	head := make([]byte, len(magic)+len(s))
	if _, err := f.ReadAt(head, 0); err != nil || !bytes.HasPrefix(head, []byte(magic)) || body < int64(len(head)) {
		return fmt.Errorf("%s is not an index", path)
	}
	if !bytes.Equal(head[len(magic):], s[:]) {
		return fmt.Errorf("%s: %w", path, errStale)
	}
	if err := checkSum(f, body); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	in := io.NewSectionReader(f, int64(len(head)), body-int64(len(head)))
	if err := gob.NewDecoder(bufio.NewReader(in)).Decode(found); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// worthKeeping is the size of a log in bytes from which its result is kept by default.
const worthKeeping = 16 << 20

// Keep returns the result of make for the files of a log. how describes how the files are read.
// Keep stores the result in a file and reuses it. If file is "" and the log is large, Keep uses a
// file next to the log's first file. It ignores an error if that file cannot be written.
func Keep[T any](file string, log []string, how string, make func() (*T, error)) (*T, error) {
	s, err := newStamp(log, how)
	if err != nil {
		return nil, err
	}
	given := file != ""
	if !given && size(log) >= worthKeeping {
		file = log[0] + ".index"
	}
	found := new(T)
	if file != "" && load(file, s, found) == nil {
		return found, nil
	}
	if found, err = make(); err != nil || file == "" {
		return found, err
	}
	if err := save(file, s, found); err != nil && (given || !cannotWrite(err)) {
		return nil, err
	}
	return found, nil
}

// size returns the total size in bytes of the files that exist.
func size(paths []string) int64 {
	n := int64(0)
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			n += info.Size()
		}
	}
	return n
}

// cannotWrite reports whether an error means that a directory is not writable.
func cannotWrite(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// checkSum compares the checksum after the first n bytes of a file with the checksum of these
// bytes.
func checkSum(f io.ReaderAt, n int64) error {
	sum, want := sha256.New(), make([]byte, sha256.Size)
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, n)); err != nil {
		return err
	}
	if _, err := f.ReadAt(want, n); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.Equal(sum.Sum(nil), want) {
		return errors.New("the index is damaged")
	}
	return nil
}

// GobEncode encodes the ids with 4 bytes each.
func (s *IDs) GobEncode() ([]byte, error) {
	b := make([]byte, 0, 8+4*len(s.list))
	b = binary.LittleEndian.AppendUint64(b, uint64(s.missing))
	for _, id := range s.list {
		b = binary.LittleEndian.AppendUint32(b, id)
	}
	return b, nil
}

// GobDecode decodes the output of GobEncode.
func (s *IDs) GobDecode(b []byte) error {
	if len(b) < 8 || len(b)%4 != 0 {
		return errors.New("packed ids of a wrong length")
	}
	missing := binary.LittleEndian.Uint64(b)
	*s = IDs{}
	for n := uint64(1); len(b) > 8; n, b = n+1, b[4:] {
		id := uint64(binary.LittleEndian.Uint32(b[8:]))
		if n == missing {
			id = Missing
		}
		s.Add(id)
	}
	return nil
}
