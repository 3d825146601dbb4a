package record

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// pack is an open NPZ file.
type pack struct {
	file    *os.File
	names   []string // in the order of the file
	members map[string]*zip.File
}

func openPack(path string) (*pack, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	z, err := zip.NewReader(f, info.Size())
	if err != nil {
		wrong := &text.FormatError{File: path, Problem: fmt.Sprintf("%v, expected an NPZ file as numpy.savez writes it, without further compression", err)}
		return nil, errors.Join(wrong, f.Close())
	}
	p := &pack{file: f, members: map[string]*zip.File{}}
	for _, m := range z.File {
		name := strings.TrimSuffix(m.Name, ".npy")
		p.names = append(p.names, name)
		p.members[name] = m
	}
	return p, nil
}

// columns returns the names of the arrays, except lengths of the bags of another array.
func (p *pack) columns() (names []string) {
	for _, name := range p.names {
		if base, ok := strings.CutSuffix(name, lengths); !ok || p.members[base] == nil {
			names = append(names, name)
		}
	}
	return names
}

// npy is an array, read from its beginning.
type npy struct {
	shape []int64
	kind  byte // i, u, f or b, as in NumPy
	size  int  // bytes of an item
	in    io.Reader
	close func() error
}

// array opens an array.
func (p *pack) array(name string) (*npy, error) {
	m, ok := p.members[name]
	if !ok {
		return nil, fmt.Errorf("there is no array %s, found %s", name, strings.Join(p.names, ", "))
	}
	in, err := m.Open()
	if err != nil {
		return nil, fmt.Errorf("array %s: %w", name, err)
	}
	a := &npy{in: bufio.NewReader(in), close: in.Close}
	if err := a.header(); err != nil {
		return nil, errors.Join(fmt.Errorf("array %s: %w", name, err), in.Close())
	}
	return a, nil
}

var (
	npyType  = regexp.MustCompile(`'descr': '[<|](?:([iu])([1248])|(f)([48])|(b)(1))'`)
	npyShape = regexp.MustCompile(`'shape': \(([0-9, ]*)\)`)
)

// mostHeader limits the length of an array's header.
const mostHeader = 1 << 16

// header reads the header of an array.
func (a *npy) header() error {
	fixed := make([]byte, 10)
	if _, err := io.ReadFull(a.in, fixed); err != nil || string(fixed[:6]) != "\x93NUMPY" {
		return errors.New("this is no NumPy array")
	}
	n := int(binary.LittleEndian.Uint16(fixed[8:]))
	if fixed[6] > 1 {
		var high [2]byte
		if _, err := io.ReadFull(a.in, high[:]); err != nil {
			return err
		}
		n |= int(binary.LittleEndian.Uint16(high[:])) << 16
	}
	if n > mostHeader {
		return fmt.Errorf("the header has %d bytes, expected at most %d", n, mostHeader)
	}
	head := make([]byte, n)
	if _, err := io.ReadFull(a.in, head); err != nil {
		return err
	}
	kind, shape := npyType.FindSubmatch(head), npyShape.FindSubmatch(head)
	if kind == nil || shape == nil || strings.Contains(string(head), "'fortran_order': True") {
		return fmt.Errorf("the header is %s, expected little-endian numbers in C order", text.Quote(head))
	}
	word := bytes.Join(kind[1:], nil)
	a.kind, a.size = word[0], int(word[1]-'0')
	for _, f := range strings.FieldsFunc(string(shape[1]), func(r rune) bool { return r == ',' || r == ' ' }) {
		d, err := strconv.ParseInt(f, 10, 64)
		if err != nil || d > math.MaxInt32 {
			return fmt.Errorf("the shape is (%s), expected smaller dimensions", shape[1])
		}
		a.shape = append(a.shape, d)
	}
	if len(a.shape) == 0 || len(a.shape) > 2 {
		return fmt.Errorf("the shape is (%s), expected one or two dimensions", shape[1])
	}
	return nil
}

// number converts the bytes of an integer.
func (a *npy) number(item []byte) int64 {
	var b [8]byte
	copy(b[:], item)
	n := int64(binary.LittleEndian.Uint64(b[:]))
	if shift := 64 - 8*a.size; a.kind == 'i' {
		n = n << shift >> shift
	}
	return n
}

// text appends an item as text. Not a number is "".
func (a *npy) text(to, item []byte) []byte {
	switch {
	case a.kind == 'u':
		return strconv.AppendUint(to, uint64(a.number(item)), 10)
	case a.kind != 'f':
		return strconv.AppendInt(to, a.number(item), 10)
	}
	var x float64
	switch a.size {
	case 4:
		x = float64(math.Float32frombits(binary.LittleEndian.Uint32(item)))
	case 8:
		x = math.Float64frombits(binary.LittleEndian.Uint64(item))
	}
	if math.IsNaN(x) {
		return to
	}
	return strconv.AppendFloat(to, x, 'g', -1, 64)
}
