package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/hotline-rtl/hotline/host/ui/table"
)

// output is the writer for results. It keeps the first error, because not every printer checks its
// errors.
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

// Width returns the number of columns of the terminal that results are written to, or 0 if the
// output is not a terminal.
func (o *output) Width() int {
	if f, ok := o.Writer.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			return width
		}
	}
	return 0
}

// printMarkdown prints the output of print, formatted for a terminal.
func printMarkdown(w io.Writer, print func(io.Writer) error) error {
	var b strings.Builder
	if err := print(&b); err != nil {
		return err
	}
	_, err := io.WriteString(w, table.Markdown(b.String(), table.Width(w)))
	return err
}

func (o *output) keep(err error) {
	if err != nil && o.err == nil {
		o.err = fmt.Errorf("the result is not written: %w", err)
	}
}

// finish closes a file. If results were lost, it adds this to the outcome of the command.
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
