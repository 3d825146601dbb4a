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

// magic begins a file of Save; the number is that of the format.
const magic = "hotline index 1\n"

// Stamp tells one state of a log from another.
type Stamp [sha256.Size]byte

// ends is how much of the beginning and of the end of a file goes into its stamp.
const ends = 64 << 10

// NewStamp returns the stamp of files: of their sizes, times of change and ends; and of a text that says how they are read.
func NewStamp(paths []string, how string) (Stamp, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %d\n", how, len(paths))
	for _, path := range paths {
		if err := stamp(h, path); err != nil {
			return Stamp{}, err
		}
	}
	return Stamp(h.Sum(nil)), nil
}

func stamp(h hash.Hash, path string) error {
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

// Save writes what a pass has found to a file: the magic, the stamp, the value as gob, and the SHA-256 of all that.
func Save(path string, s Stamp, found any) error {
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

// ErrStale says that a file of Save is about another state of the log.
var ErrStale = errors.New("the index is not of this state of the log")

// Load reads into found, a pointer, what Save wrote to a file. It fails if the file is not there (os.ErrNotExist), is stale
// (ErrStale) or is damaged.
func Load(path string, s Stamp, found any) error {
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
		return fmt.Errorf("%s: %w", path, ErrStale)
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

// worthKeeping is the size of a log from which on what is found in it is kept without being told where.
const worthKeeping = 16 << 20

// Keep returns what make finds in the files of a log, which are read in a way that how describes. If it was found before, it comes
// from a file: the given one, or, if that is "" and the log is large, one beside the log's first file, unless that cannot be
// written.
func Keep[T any](file string, log []string, how string, make func() (*T, error)) (*T, error) {
	s, err := NewStamp(log, how)
	if err != nil {
		return nil, err
	}
	given := file != ""
	if !given && size(log) >= worthKeeping {
		file = log[0] + ".index"
	}
	found := new(T)
	if file != "" && Load(file, s, found) == nil {
		return found, nil
	}
	if found, err = make(); err != nil || file == "" {
		return found, err
	}
	if err := Save(file, s, found); err != nil && (given || !cannotWrite(err)) {
		return nil, err
	}
	return found, nil
}

// size returns the bytes of files that are there.
func size(paths []string) int64 {
	n := int64(0)
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			n += info.Size()
		}
	}
	return n
}

// cannotWrite tells whether an error says that a folder is not to be written to.
func cannotWrite(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// checkSum compares the sum behind the first n bytes of a file with theirs.
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

// GobEncode packs the ids, 4 bytes each.
func (s *IDs) GobEncode() ([]byte, error) {
	b := make([]byte, 0, 8+4*len(s.list))
	b = binary.LittleEndian.AppendUint64(b, uint64(s.missing))
	for _, id := range s.list {
		b = binary.LittleEndian.AppendUint32(b, id)
	}
	return b, nil
}

// GobDecode unpacks what GobEncode packed.
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
