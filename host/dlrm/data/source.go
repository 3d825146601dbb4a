package data

import "github.com/hotline-rtl/hotline/host/dlrm"

// Shape is what all inputs of a source have in common.
type Shape struct {
	Dense  int // dense features of a time step
	Steps  int // time steps of an input; 0 or 1 if there is no time
	Tables []dlrm.Table
}

// Lookups returns the number of rows that one input reads, over all time steps.
func (s Shape) Lookups() int {
	n := 0
	for _, t := range s.Tables {
		n += t.Lookups
	}
	return n * max(1, s.Steps)
}

// DenseWidth returns the number of dense values of an input.
func (s Shape) DenseWidth() int { return s.Dense * max(1, s.Steps) }

// Source is where inputs come from. Its shape is known before any input is read and does not depend on how many are read. Its
// methods may be called concurrently.
type Source interface {
	// Name says what it is, for people.
	Name() string
	Shape() Shape
	// Len returns the number of inputs, if it is known.
	Len() (n int64, known bool)
	// Open begins to read at input number at, as often as wanted. Behind the last input there is nothing to read.
	Open(at int64) (Reader, error)
}

// Reader reads the inputs of a source in order.
type Reader interface {
	// Read appends n inputs to b, fewer where they end, and returns io.EOF when there are none left. With any other error, what it
	// appended before is whole.
	Read(b *dlrm.Batch, n int) error
	Close() error
}
