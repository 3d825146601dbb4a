package clicklog

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// Format describes a log with one input per line.
type Format struct {
	Name    string
	Expect  string   // description of a valid file, for errors: "lines of 40 fields"
	Header  string   // the first line of each file; "" if there is none
	Dense   int      // number of dense features
	Columns []string // names of the columns of ids; each becomes a table

	// Parse parses a line into in, or returns an error. On an error the contents of in are
	// undefined.
	Parse func(line []byte, in *Input) *text.FormatError
}

// Input is an input before its ids are mapped to rows. Parse sets every value.
type Input struct {
	Label float32
	Dense []float32 // length Format.Dense
	IDs   []uint64  // below 2^32, or index.Missing; one per Format.Columns
}

// WrongFields returns the error for a line with n fields.
func WrongFields(n int, expected string) *text.FormatError {
	return &text.FormatError{Kind: "wrong number of fields", Problem: fmt.Sprintf("%d fields, expected %s", n, expected)}
}

// ParseHex parses 1 to 8 hexadecimal digits.
func ParseHex(field []byte) (id uint64, ok bool) {
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
	return id, 1 <= len(field) && len(field) <= 8
}

// ParseUint parses a decimal number below 2^32.
func ParseUint(field []byte) (n uint64, ok bool) {
	for _, c := range field {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + uint64(c-'0')
	}
	return n, 1 <= len(field) && len(field) <= 10 && n < 1<<32
}
