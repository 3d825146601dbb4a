package command

import (
	"errors"
	"fmt"
	"io"
)

// output is where results go. It keeps the first error, because not all who
// print look at theirs.
type output struct {
	io.Writer
	err error
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	o.keep(err)
	return n, err
}

func (o *output) keep(err error) {
	if err != nil && o.err == nil {
		o.err = fmt.Errorf("the result is not written: %w", err)
	}
}

// finish closes a file and adds to the outcome of a command that its results
// were lost.
func (o *output) finish(outcome error) error {
	if c, ok := o.Writer.(io.Closer); ok {
		err := c.Close()
		if outcome == nil {
			o.keep(err)
		}
	}
	if o.err == nil || outcome != nil && errors.Is(outcome, errors.Unwrap(o.err)) {
		return outcome
	}
	return errors.Join(outcome, o.err)
}
