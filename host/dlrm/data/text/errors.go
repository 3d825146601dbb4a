package text

import (
	"fmt"
	"strconv"
	"strings"
)

// FormatError says what is wrong with the content of a data file, and where.
type FormatError struct {
	File    string
	Line    int64  // from 1; 0 if it is not about a line
	Column  string // name of the column; "" if it is not about one
	Field   int    // its position in the line, from 1
	Problem string // what was found and what was expected
	Kind    string // of a bad line, a few words under which such lines are counted; "" if reading cannot go on behind it
	CutOff  bool   // the end of the file seems to be missing
	Err     error  // the cause, if another error is
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
	if e.Column != "" {
		fmt.Fprintf(&b, "column %s (field %d): ", e.Column, e.Field)
	}
	b.WriteString(e.Problem)
	if e.CutOff {
		b.WriteString(": the file looks cut off")
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// NotA says that field number field (from 1) of a line, in the named column, is not what was expected, such as "an integer". It
// does not know yet in which file and line it is.
func NotA(expected, column string, field int, found []byte) *FormatError {
	return &FormatError{Column: column, Field: field, Kind: "not " + expected, Problem: Quote(found) + " is not " + expected}
}

// Quote quotes text from a file, shortened to what fits in a message.
func Quote(text []byte) string {
	const longest = 40
	if len(text) > longest {
		return strconv.Quote(string(text[:longest])) + "..."
	}
	return strconv.Quote(string(text))
}
