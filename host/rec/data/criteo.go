package data

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/rec/repro"
)

// The columns of a Criteo line: a label, integers I1 to I13, hexadecimal ids C1 to C26.
const (
	criteoInts   = 13
	criteoIDs    = 26
	criteoFields = 1 + criteoInts + criteoIDs

	criteoShape = "40 (a label, 13 integers, 26 hexadecimal ids, separated by tabs)"
)

// maxLine is far more than 40 fields can fill; a longer line means that the file is something else.
const maxLine = 64 << 10

// LoadCriteo reads a file of the Criteo Kaggle display-advertising log (train.txt) or of a Terabyte day, in its original
// format, plain or gzip (told apart by content). It stops after limit samples if limit is positive. See ReadCriteo.
func LoadCriteo(path string, limit int) (*Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadCriteo(filepath.Base(path), f, limit)
}

// CriteoShape is a set as LoadCriteo makes them, without rows and inputs.
func CriteoShape() *Set { return newCriteoParser("criteo").finish() }

// ReadCriteo reads the same from r; name stands for it in errors and in the set.
//
// A dense feature is ln(1+max(x, 0)), 0 where missing. The ids of each column become row indices in the order of their first
// appearance, a missing id being an id of its own, and each column a table with as many rows as it has distinct ids. Errors in
// the content are of type *FormatError.
func ReadCriteo(name string, r io.Reader, limit int) (*Set, error) {
	p := newCriteoParser(name)
	lines, err := decompress(name, r)
	if err != nil {
		return nil, err
	}
	for limit <= 0 || len(p.set.Samples) < limit {
		p.at.Line++
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, p.readError(err)
		}
		if err := p.parse(line); err != nil {
			return nil, err
		}
	}
	if len(p.set.Samples) == 0 {
		return nil, &FormatError{File: name, Problem: "the file is empty, expected lines of 40 tab-separated fields"}
	}
	return p.finish(), nil
}

// decompress returns the content of r, unpacked if it starts as a gzip file does.
func decompress(name string, r io.Reader) (*bufio.Reader, error) {
	raw := bufio.NewReaderSize(r, maxLine)
	if magic, _ := raw.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return raw, nil
	}
	unpacked, err := gzip.NewReader(raw)
	if err != nil {
		return nil, gzipError(name, 0, err)
	}
	return bufio.NewReaderSize(unpacked, maxLine), nil
}

// gzipError reports an error of the gzip reader.
func gzipError(name string, line int, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return &FormatError{File: name, Line: line, Problem: "the gzip data ends early", CutOff: true, Err: err}
	}
	return &FormatError{File: name, Line: line, Problem: "the gzip data is damaged (" + err.Error() + ")", Err: err}
}

// criteoParser turns lines into samples.
type criteoParser struct {
	at   FormatError // where it is: file and line
	set  *Set
	rows [criteoIDs]map[uint64]uint32 // id -> row index, per column
}

// missingID stands for an empty field; real ids have 32 bits.
const missingID = 1 << 32

func newCriteoParser(name string) *criteoParser {
	p := &criteoParser{at: FormatError{File: name}, set: &Set{Name: name, Dense: criteoInts}}
	for i := range p.rows {
		p.rows[i] = map[uint64]uint32{}
	}
	return p
}

func (p *criteoParser) finish() *Set {
	for i, rows := range p.rows {
		p.set.Tables = append(p.set.Tables, rec.Table{Name: fmt.Sprintf("C%d", i+1), Rows: len(rows), Lookups: 1})
	}
	return p.set
}

// readError reports an error of reading a line.
func (p *criteoParser) readError(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return p.wrong(fmt.Sprintf("the line is longer than %d bytes, expected 40 tab-separated fields", maxLine))
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader),
		errors.As(err, &corrupt):
		return gzipError(p.at.File, p.at.Line, err)
	}
	return fmt.Errorf("%s:%d: %w", p.at.File, p.at.Line, err)
}

// parse adds the sample of a line, which ends with a newline unless it is the file's last.
func (p *criteoParser) parse(line []byte) error {
	text, whole := bytes.CutSuffix(line, []byte{'\n'})
	if n := bytes.Count(text, []byte{'\t'}) + 1; n != criteoFields {
		err := p.wrong(fmt.Sprintf("%d fields, expected %s", n, criteoShape))
		if !whole && n < criteoFields {
			err.Problem += ", and no newline"
			err.CutOff = true
		}
		return err
	}
	s := rec.Sample{Dense: make([]float32, criteoInts), Sparse: make([]uint32, criteoIDs)}
	for i := range criteoFields {
		field, rest, _ := bytes.Cut(text, []byte{'\t'})
		text = rest
		if want := p.field(&s, i, field); want != "" {
			err := p.wrong(quote(field) + " is not " + want)
			err.Field, err.Column = i+1, criteoColumn(i)
			return err
		}
	}
	p.set.Samples = append(p.set.Samples, s)
	return nil
}

// field parses the i-th field of a line into s. If it cannot, it returns what it expected.
func (p *criteoParser) field(s *rec.Sample, i int, field []byte) (want string) {
	switch {
	case i == 0:
		if len(field) != 1 || field[0] != '0' && field[0] != '1' {
			return "0 or 1"
		}
		s.Label = float32(field[0] - '0')
	case i <= criteoInts:
		if len(field) == 0 {
			return ""
		}
		x, err := strconv.ParseInt(string(field), 10, 64)
		if err != nil {
			return "an integer"
		}
		s.Dense[i-1] = float32(repro.Log(1 + float64(max(x, 0))))
	default:
		column := i - 1 - criteoInts
		id, ok := parseID(field)
		if !ok {
			return "a hexadecimal id of 1 to 8 digits"
		}
		s.Sparse[column] = p.row(column, id)
	}
	return ""
}

// parseID reads 1 to 8 hexadecimal digits, or nothing.
func parseID(field []byte) (id uint64, ok bool) {
	if len(field) == 0 {
		return missingID, true
	}
	for _, c := range field {
		switch {
		case '0' <= c && c <= '9':
			id = id<<4 | uint64(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			id = id<<4 | uint64(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return id, len(field) <= 8
}

// row returns the row index of an id, the next free one if the id is new.
func (p *criteoParser) row(column int, id uint64) uint32 {
	rows := p.rows[column]
	index, known := rows[id]
	if !known {
		index = uint32(len(rows))
		rows[id] = index
	}
	return index
}

func (p *criteoParser) wrong(problem string) *FormatError {
	err := p.at
	err.Problem = problem
	return &err
}

// criteoColumn names the i-th field of a line.
func criteoColumn(i int) string {
	switch {
	case i == 0:
		return "label"
	case i <= criteoInts:
		return fmt.Sprintf("I%d", i)
	}
	return fmt.Sprintf("C%d", i-criteoInts)
}
