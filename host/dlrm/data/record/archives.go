package record

import (
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// archives reads the records of NPZ files.
type archives struct {
	files   *text.Files
	columns []string
	now     *arrays // nil before a file is opened
	mark    text.Mark
}

func (a *archives) Next(r *Record) error {
	for a.now == nil || a.mark.Line == a.now.records {
		if err := a.step(); err != nil {
			return err
		}
	}
	r.reset()
	a.mark.Line++
	column, err := a.now.next(r)
	if err == nil {
		return nil
	}
	wrong := &text.FormatError{Column: column, Problem: err.Error(), Err: err}
	a.Locate(wrong)
	return wrong
}

// step moves from the end of a file to the next file, or opens the file of the mark.
func (a *archives) step() error {
	if a.now != nil {
		a.mark = text.Mark{File: a.mark.File + 1}
		if err := a.Close(); err != nil {
			return err
		}
	}
	if a.mark.File == a.files.Len() {
		return io.EOF
	}
	path := a.path()
	now, err := openArrays(path, a.columns)
	if err != nil {
		return err
	}
	a.now = now
	if now.records == 0 {
		return &text.FormatError{File: path, Problem: "the arrays have no entries, expected at least one"}
	}
	if err := now.seek(a.mark.Line); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (a *archives) path() string { return a.files.Paths()[a.mark.File] }

// Locate implements Reader.
func (a *archives) Locate(wrong *text.FormatError) { wrong.File, wrong.Record = a.path(), a.mark.Line }

// Raw implements Reader. A record of arrays has no text.
func (a *archives) Raw() []byte { return nil }

func (a *archives) Mark() text.Mark { return a.mark }

// Done implements Reader. It counts whole files.
func (a *archives) Done() int64 { return a.files.Part(0, a.mark.File).Size() }

func (a *archives) Close() error {
	if a.now == nil {
		return nil
	}
	now := a.now
	a.now = nil
	return now.close()
}
