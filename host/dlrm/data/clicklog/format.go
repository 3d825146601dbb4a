package clicklog

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// Format is a log with an input per line.
type Format struct {
	Name    string
	Expect  string   // what a file has, for errors: "lines of 40 fields"
	Header  string   // the first line of each file; "" if there is none
	Dense   int      // dense features
	Columns []string // names of the columns of ids, which are the tables

	// Parse reads a line into in, or says what is wrong with it; what in has then does not matter.
	Parse func(line []byte, in *Input) *text.FormatError
}

// Input is an input before its ids become rows. Parse sets every value.
type Input struct {
	Label float32
	Dense []float32 // Format.Dense
	IDs   []uint64  // below 2^32, or index.Missing; one per Format.Columns
}

// WrongFields says that a line has n fields.
func WrongFields(n int, expected string) *text.FormatError {
	return &text.FormatError{Kind: "wrong number of fields", Problem: fmt.Sprintf("%d fields, expected %s", n, expected)}
}

// ParseHex reads 1 to 8 hexadecimal digits.
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

// ParseUint reads a decimal number below 2^32.
func ParseUint(field []byte) (n uint64, ok bool) {
	for _, c := range field {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + uint64(c-'0')
	}
	return n, 1 <= len(field) && len(field) <= 10 && n < 1<<32
}
