package text

import (
	"fmt"
	"strconv"
	"strings"
)

// FormatError describes an error in the content of a data file and its position.
type FormatError struct {
	File    string
	Line    int64  // from 1; 0 if the error does not concern a line
	Record  int64  // from 1, in files without lines; 0 if the error does not concern a record
	Column  string // name of the column; "" if the error does not concern a column
	Field   int    // position of the column in the line, from 1; 0 if columns have no position
	Problem string // found and expected text
	Kind    string // short description under which bad lines are counted; "" if reading cannot continue after the error
	CutOff  bool   // the end of the file seems to be missing
	Err     error  // the cause, or nil
}

// Error returns, for example,
//
//	train.tsv:17: column C3 (field 17): "xyz" is not a hexadecimal id of 1 to 8 digits
func (e *FormatError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	b.WriteString(": ")
	if e.Record > 0 {
		fmt.Fprintf(&b, "record %d: ", e.Record)
	}
	if e.Column != "" {
		fmt.Fprintf(&b, "column %s", e.Column)
		if e.Field > 0 {
			fmt.Fprintf(&b, " (field %d)", e.Field)
		}
		b.WriteString(": ")
	}
	b.WriteString(e.Problem)
	if e.CutOff {
		b.WriteString(": the file looks cut off")
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// NotA returns the error that field number field of a line, in the given column, is not as
// expected, such as "an integer". The caller adds the file and the line.
func NotA(expected, column string, field int, found []byte) *FormatError {
	return &FormatError{Column: column, Field: field, Kind: "not " + expected, Problem: Quote(found) + " is not " + expected}
}

// Quote quotes text from a file, truncated to a length suitable for a message.
func Quote(text []byte) string {
	const longest = 40
	if len(text) > longest {
		return strconv.Quote(string(text[:longest])) + "..."
	}
	return strconv.Quote(string(text))
}
