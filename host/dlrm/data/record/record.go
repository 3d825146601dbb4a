package record

import (
	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// Record contains the values of the columns of a record, as text. A column has no value, one value,
// or several values.
type Record struct {
	values [][]byte
	ends   []int // end of each column in values
}

// Values returns the values of a column.
func (r *Record) Values(column int) [][]byte {
	from := 0
	if column > 0 {
		from = r.ends[column-1]
	}
	return r.values[from:r.ends[column]]
}

func (r *Record) reset() { r.values, r.ends = r.values[:0], r.ends[:0] }

// add adds a value to the next column.
func (r *Record) add(value []byte) { r.values = append(r.values, value) }

// end ends the next column.
func (r *Record) end() { r.ends = append(r.ends, len(r.values)) }

// Reader reads the records of files in order.
type Reader interface {
	// Next reads the next record, whose values are valid until the next call. It returns io.EOF
	// after the last record. After a *text.FormatError with a Kind, Next can be called again.
	Next(*Record) error
	// Locate adds the position of the last record to an error.
	Locate(*text.FormatError)
	// Raw returns the last record for a message.
	Raw() []byte
	// Mark returns the position of the next record.
	Mark() text.Mark
	// Done returns the number of bytes of the files read so far.
	Done() int64
	Close() error
}
