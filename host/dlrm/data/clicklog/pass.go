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
	IDs    []index.IDs // of the columns with index.FirstPass
}

// firstPass returns the result of the pass, from a file if it exists, otherwise by reading the log.
func (l *Log) firstPass(ctx context.Context, o Options) (*pass, error) {
	if err := l.log.Files.Rereadable(); err != nil {
		return nil, fmt.Errorf("%w, or an index rule that needs no first pass", err)
	}
	return index.Keep(o.Index, l.log.Files.Paths(), l.log.Reading(), func() (*pass, error) { return l.makePass(ctx, o.Progress) })
}

// makePass reads the log.
func (l *Log) makePass(ctx context.Context, progress func(done, all int64)) (*pass, error) {
	r := l.log.Open(text.Mark{})
	defer r.Close()
	found := &pass{IDs: make([]index.IDs, len(l.log.Tables))}
	for ; ; found.Inputs++ {
		if found.Inputs%stride == 0 {
			found.Marks = append(found.Marks, r.Mark())
			if progress != nil {
				progress(r.Done(), l.log.Files.Size())
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if err := r.Next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		ids := r.Input.IDs
		for c, t := range l.log.Tables {
			if t.Rule == index.FirstPass {
				for _, id := range ids[:t.Lookups] {
					found.IDs[c].Add(id)
				}
			}
			ids = ids[t.Lookups:]
		}
	}
	if found.Inputs == 0 {
		return nil, &text.FormatError{File: l.log.Files.Paths()[0], Problem: "there is not a single good line, expected " + l.log.Expect()}
	}
	return found, nil
}
