package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
	"github.com/hotline-rtl/hotline/host/dlrm/data/record"
	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// Log consists of files with a schema.
type Log struct {
	Files  *text.Files
	Dense  int // number of dense features
	Tables []Table

	schema *Schema
	layout record.Layout
	bad    *text.Quarantine
	fields []field
}

// Table is the table of a categorical column.
type Table struct {
	Name    string
	Lookups int
	Rule    index.Rule
}

// Input is an input before its ids are mapped to rows.
type Input struct {
	Label float32
	Dense []float32 // length Log.Dense
	IDs   []uint64  // below 2^32, or index.Missing; for each table, its lookups
	Time  int64     // of a visit
}

// Open returns the log that consists of the files with these paths, in sequence. Columns without a
// rule of their own have this index rule. bad is for bad records; nil rejects them.
func (s *Schema) Open(paths []string, rule index.Rule, bad *text.Quarantine) (*Log, error) {
	if err := rule.Validate(); err != nil {
		return nil, err
	}
	layout := record.Layout{Format: s.Format, Columns: s.Columns}
	if s.Format.Lines() {
		layout.Separator = s.Separator[0]
	}
	if s.Header {
		layout.Header = strings.Join(s.Columns, s.Separator)
	}
	files, err := text.NewFiles(paths, layout.Expect())
	if err != nil {
		return nil, err
	}
	if len(s.Columns) == 0 && (s.Format.Lines() || s.takesRest()) {
		if layout, err = layout.Discover(files); err != nil {
			return nil, err
		}
		if files, err = text.NewFiles(paths, layout.Expect()); err != nil {
			return nil, err
		}
	}
	l := &Log{Files: files, schema: s, layout: layout, bad: bad}
	if err := l.bind(rule); err != nil {
		return nil, err
	}
	l.Dense = max(1, l.Dense) // a model has at least one
	return l, nil
}

// Expect describes a valid file, for errors.
func (l *Log) Expect() string { return l.layout.Expect() }

// Rules returns the index rules of the tables.
func (l *Log) Rules() (rules []index.Rule) {
	for _, t := range l.Tables {
		rules = append(rules, t.Rule)
	}
	return rules
}

// Reading describes how the log is read, for the stamp of an index.
func (l *Log) Reading() string {
	return fmt.Sprintf("%s, bad lines skipped: %v", l.schema.digest, l.bad != nil)
}

// Part returns the files from, from+1, ..., to-1 of the log.
func (l *Log) Part(from, to int) *Log {
	part := *l
	part.Files = l.Files.Part(from, to)
	return &part
}

// Reader reads the inputs of a log. It skips bad records.
type Reader struct {
	record.Reader
	Input  Input
	record record.Record
	fields []field
	bad    *text.Quarantine
}

// Open returns a reader that starts at a mark.
func (l *Log) Open(at text.Mark) *Reader {
	lookups := 0
	for _, t := range l.Tables {
		lookups += t.Lookups
	}
	in := Input{Dense: make([]float32, l.Dense), IDs: make([]uint64, lookups)}
	return &Reader{Reader: l.layout.Open(l.Files, at), Input: in, fields: l.fields, bad: l.bad}
}

// Next reads the next good record into r.Input, or returns io.EOF.
func (r *Reader) Next() error {
	for {
		err := r.Reader.Next(&r.record)
		if err == nil {
			wrong := r.convert()
			if wrong == nil {
				return nil
			}
			r.Locate(wrong)
			err = wrong
		}
		var wrong *text.FormatError
		if !errors.As(err, &wrong) {
			return err
		}
		if err := r.bad.Add(wrong, r.Raw()); err != nil {
			return err
		}
	}
}

// convert converts the record.
func (r *Reader) convert() *text.FormatError {
	for i := range r.fields {
		f := &r.fields[i]
		if found, want := f.set(&r.Input, r.record.Values(f.column)); want != "" {
			return text.NotA(want, f.name, f.number, found)
		}
	}
	return nil
}

// field converts a column.
type field struct {
	name   string
	column int // in the record
	number int // in the line, from 1; 0 if there are no lines
	set    setter
}

// add adds a field for a column. It returns an error if a file has no such column.
func (l *Log) add(name string, set setter) error {
	f := field{name: name, column: slices.Index(l.layout.Columns, name), set: set}
	switch lines := l.schema.Format.Lines(); {
	case f.column < 0 && lines:
		problem := fmt.Sprintf("there is no column %q, which %s uses; found %s", name, l.schema.name, strings.Join(l.layout.Columns, ", "))
		return &text.FormatError{File: l.Files.Paths()[0], Problem: problem}
	case f.column < 0:
		f.column = len(l.layout.Columns)
		l.layout.Columns = append(l.layout.Columns, name)
	case lines:
		f.number = f.column + 1
	}
	l.fields = append(l.fields, f)
	return nil
}
