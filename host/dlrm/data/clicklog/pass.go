package clicklog

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// pass is the result of a first pass.
type pass struct {
	Inputs int64
	Marks  []text.Mark
	IDs    []index.IDs
}

// firstPass returns the result of the pass, from a file if it exists, otherwise by reading the log.
func (l *Log) firstPass(ctx context.Context, o Options) (*pass, error) {
	if err := l.files.Rereadable(); err != nil {
		return nil, fmt.Errorf("%w, or an index rule that needs no first pass", err)
	}
	how := fmt.Sprintf("%s, bad lines skipped: %v", l.format.Name, l.bad != nil)
	return index.Keep(o.Index, l.files.Paths(), how, func() (*pass, error) { return l.makePass(ctx, o.Progress) })
}

// makePass reads the log.
func (l *Log) makePass(ctx context.Context, progress func(done, all int64)) (*pass, error) {
	p := l.parser(text.Mark{})
	defer p.lines.Close()
	found := &pass{IDs: make([]index.IDs, len(l.format.Columns))}
	for ; ; found.Inputs++ {
		if found.Inputs%stride == 0 {
			found.Marks = append(found.Marks, p.lines.Mark())
			if progress != nil {
				progress(p.lines.Done(), l.files.Size())
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if err := p.next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		for c, id := range p.in.IDs {
			found.IDs[c].Add(id)
		}
	}
	if found.Inputs == 0 {
		return nil, &text.FormatError{File: l.files.Paths()[0], Problem: "there is not a single good line, expected " + l.format.Expect}
	}
	return found, nil
}
