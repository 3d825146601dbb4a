package data

import "github.com/hotline-rtl/hotline/host/dlrm"

// Shape contains the properties common to all inputs of a source.
type Shape struct {
	Dense  int // dense features per time step
	Steps  int // time steps per input; 0 or 1 without time steps
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

// Source is a source of inputs. Its shape is known before any input is read and does not depend on
// how many are read. Its methods may be called concurrently.
type Source interface {
	// Name returns a name for messages.
	Name() string
	Shape() Shape
	// Len returns the number of inputs, and whether it is known.
	Len() (n int64, known bool)
	// Open returns a reader that starts at input number at. It may be called repeatedly. A reader
	// that starts after the last input reads nothing.
	Open(at int64) (Reader, error)
}

// Reader reads the inputs of a source in order.
type Reader interface {
	// Read appends n inputs to b, or fewer at the end, and returns io.EOF when none are left. On
	// any other error, the inputs that it appended before are complete.
	Read(b *dlrm.Batch, n int) error
	Close() error
}
