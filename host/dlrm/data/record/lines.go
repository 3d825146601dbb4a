package record

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// lines reads records that are lines.
type lines struct {
	*text.Lines
	header string
	split  func(line []byte, r *Record) *text.FormatError
	line   []byte
}

func (l *lines) Next(r *Record) (err error) {
	for {
		if l.line, err = l.Lines.Next(); err != nil {
			return err
		}
		if path, number := l.Place(); number == 1 && l.header != "" {
			if string(l.line) != l.header {
				problem := fmt.Sprintf("the first line begins with %s, expected the header %s", text.Quote(l.line), l.header)
				return &text.FormatError{File: path, Line: 1, Problem: problem}
			}
			continue
		}
		r.reset()
		if wrong := l.split(l.line, r); wrong != nil {
			l.Locate(wrong)
			return wrong
		}
		return nil
	}
}

func (l *lines) Raw() []byte { return l.line }

// Locate implements Reader. An incomplete line may be the cause of the error.
func (l *lines) Locate(wrong *text.FormatError) {
	wrong.File, wrong.Line = l.Place()
	if wrong.Column == "" && !l.Ended() {
		wrong.Problem += ", and no newline"
		wrong.CutOff = true
	}
}

// split splits a line into its columns.
func (l Layout) split(line []byte, r *Record) *text.FormatError {
	if wrong := l.fields(line, r); wrong != nil {
		return wrong
	}
	if n := len(r.ends); n != len(l.Columns) {
		names := l.Columns
		if len(names) > 6 {
			names = append(append(names[:3:3], "..."), names[len(names)-1])
		}
		problem := fmt.Sprintf("%d fields, expected %d (%s, separated by %s)", n, len(l.Columns), strings.Join(names, ", "), l.separators())
		return &text.FormatError{Kind: "wrong number of fields", Problem: problem}
	}
	return nil
}

// fields splits a line at the separators. In CSV, quotes protect a separator.
func (l Layout) fields(line []byte, r *Record) *text.FormatError {
	for more := true; more; {
		field := line
		if l.Format == CSV && len(line) > 0 && line[0] == '"' {
			end := closing(line, l.Separator)
			if end < 0 {
				problem := fmt.Sprintf("%s has no closing quote before a separator or the end of the line", text.Quote(line))
				return &text.FormatError{Kind: "unbalanced quotes", Problem: problem}
			}
			field, line = bytes.ReplaceAll(line[1:end], []byte(`""`), []byte(`"`)), line[end+1:]
			if more = len(line) > 0; more {
				line = line[1:]
			}
		} else if at := bytes.IndexByte(line, l.Separator); at >= 0 {
			field, line = line[:at], line[at+1:]
		} else {
			more = false
		}
		r.add(field)
		r.end()
	}
	return nil
}

// closing returns the position of the quote that closes the first field of a line, or -1.
func closing(line []byte, separator byte) int {
	for i := 1; i < len(line); i++ {
		switch {
		case line[i] != '"':
		case i+1 == len(line) || line[i+1] == separator:
			return i
		case line[i+1] != '"':
			return -1
		default:
			i++
		}
	}
	return -1
}
