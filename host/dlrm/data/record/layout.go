package record

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// Format is a file format.
type Format string

// The file formats.
const (
	CSV   Format = "csv"
	TSV   Format = "tsv"
	JSONL Format = "jsonl"
	NPZ   Format = "npz"
)

// Formats lists the file formats.
var Formats = []Format{CSV, TSV, JSONL, NPZ}

// Lines reports whether a record is a line with a field for each column.
func (f Format) Lines() bool { return f == CSV || f == TSV }

// Layout describes the files of a log.
type Layout struct {
	Format    Format
	Separator byte     // between the fields of CSV and TSV
	Header    string   // first line of each file; "" if there is none
	Columns   []string // all fields of a line in order; in other formats, the columns to read
}

// Expect describes a valid file, for errors.
func (l Layout) Expect() string {
	switch l.Format {
	case JSONL:
		return "lines with a JSON object each"
	case NPZ:
		return "arrays of numpy.savez"
	}
	head := ""
	if len(l.Columns) == 0 {
		return "a header with the names of the columns"
	}
	if l.Header != "" {
		head = "a header and "
	}
	return fmt.Sprintf("%slines of %d %s-separated fields", head, len(l.Columns), strings.TrimSuffix(l.separators(), "s"))
}

// separators returns a name for the separator, in the plural.
func (l Layout) separators() string {
	switch l.Separator {
	case '\t':
		return "tabs"
	case ',':
		return "commas"
	}
	return fmt.Sprintf("%q", l.Separator)
}

// Open returns a reader that starts at a mark.
func (l Layout) Open(files *text.Files, at text.Mark) Reader {
	if l.Format == NPZ {
		return &archives{files: files, columns: l.Columns, mark: at}
	}
	r := &lines{Lines: files.Open(at), header: l.Header}
	if l.Format == JSONL {
		r.split = (&objects{columns: l.Columns}).split
	} else {
		r.split = l.split
	}
	return r
}

// Discover returns the layout with the columns of the first file: the fields of the header, or the
// arrays.
func (l Layout) Discover(files *text.Files) (Layout, error) {
	if err := files.Rereadable(); err != nil {
		return l, fmt.Errorf("%w, or a schema that lists the columns", err)
	}
	if l.Format == NPZ {
		p, err := openPack(files.Paths()[0])
		if err != nil {
			return l, err
		}
		l.Columns = p.columns()
		return l, p.file.Close()
	}
	first := files.Open(text.Mark{})
	defer first.Close()
	line, err := first.Next()
	if err != nil {
		return l, err
	}
	l.Header = string(line)
	var r Record
	if wrong := l.fields(line, &r); wrong != nil {
		wrong.File, wrong.Line = first.Place()
		return l, wrong
	}
	for _, name := range r.values {
		l.Columns = append(l.Columns, string(name))
	}
	return l, nil
}
