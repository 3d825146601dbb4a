package clicklog

import (
	"errors"
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// parser converts lines to inputs.
type parser struct {
	format Format
	lines  *text.Lines
	bad    *text.Quarantine
	in     Input
}

func (l *Log) parser(at text.Mark) *parser {
	in := Input{Dense: make([]float32, l.format.Dense), IDs: make([]uint64, len(l.format.Columns))}
	return &parser{format: l.format, lines: l.files.Open(at), bad: l.bad, in: in}
}

// next parses the next good line into p.in, or returns io.EOF.
func (p *parser) next() error {
	for {
		line, err := p.lines.Next()
		if err == nil {
			path, number := p.lines.Place()
			if number == 1 && p.format.Header != "" {
				if err := p.header(path, line); err != nil {
					return err
				}
				continue
			}
			wrong := p.format.Parse(line, &p.in)
			if wrong == nil {
				return nil
			}
			err = p.locate(wrong)
		}
		var wrong *text.FormatError
		if !errors.As(err, &wrong) {
			return err
		}
		if err := p.bad.Add(wrong, line); err != nil {
			return err
		}
	}
}

// header checks the first line of a file. If it is wrong, no column can be trusted.
func (p *parser) header(path string, line []byte) error {
	if string(line) == p.format.Header {
		return nil
	}
	problem := fmt.Sprintf("the first line begins with %s, expected the header %s", text.Quote(line), p.format.Header)
	return &text.FormatError{File: path, Line: 1, Problem: problem}
}

// locate adds the position of the last line to an error. An incomplete line may be the cause of the
// error.
func (p *parser) locate(wrong *text.FormatError) *text.FormatError {
	wrong.File, wrong.Line = p.lines.Place()
	if wrong.Column == "" && !p.lines.Ended() {
		wrong.Problem += ", and no newline"
		wrong.CutOff = true
	}
	return wrong
}

// Open returns a reader that starts at an input.
func (l *Log) Open(at int64) (data.Reader, error) {
	mark, from := l.known.nearest(at)
	r := &reader{log: l, p: l.parser(mark), at: from}
	for r.at < at {
		if err := r.step(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	return r, nil
}

// reader reads a log.
type reader struct {
	log *Log
	p   *parser
	at  int64 // index of the next input
}

// step reads the next input.
func (r *reader) step() error {
	if r.at%stride == 0 {
		r.log.known.note(r.at, r.p.lines.Mark())
	}
	if err := r.p.next(); err != nil {
		return err
	}
	r.at++
	return nil
}

// Read implements data.Reader.
func (r *reader) Read(b *dlrm.Batch, n int) error {
	in, before := &r.p.in, b.Len()
	for b.Len()-before < n {
		if err := r.step(); errors.Is(err, io.EOF) && b.Len() > before {
			return nil
		} else if err != nil {
			return err
		}
		b.Labels = append(b.Labels, in.Label)
		b.Dense = append(b.Dense, in.Dense...)
		for c, id := range in.IDs {
			b.Sparse = append(b.Sparse, r.log.ids.Row(c, id))
		}
	}
	return nil
}

// Close closes the open file.
func (r *reader) Close() error { return r.p.lines.Close() }
