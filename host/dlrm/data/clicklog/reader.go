package clicklog

import (
	"errors"
	"io"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/schema"
)

// Open returns a reader that starts at an input.
func (l *Log) Open(at int64) (data.Reader, error) {
	mark, from := l.known.nearest(at)
	r := &reader{Reader: l.log.Open(mark), log: l, at: from}
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
	*schema.Reader
	log *Log
	at  int64 // index of the next input
}

// step reads the next input.
func (r *reader) step() error {
	if r.at%stride == 0 {
		r.log.known.note(r.at, r.Mark())
	}
	if err := r.Next(); err != nil {
		return err
	}
	r.at++
	return nil
}

// Read implements data.Reader.
func (r *reader) Read(b *dlrm.Batch, n int) error {
	in, before := &r.Input, b.Len()
	for b.Len()-before < n {
		if err := r.step(); errors.Is(err, io.EOF) && b.Len() > before {
			return nil
		} else if err != nil {
			return err
		}
		b.Labels = append(b.Labels, in.Label)
		b.Dense = append(b.Dense, in.Dense...)
		ids := in.IDs
		for c, t := range r.log.log.Tables {
			for _, id := range ids[:t.Lookups] {
				b.Sparse = append(b.Sparse, r.log.ids.Row(c, id))
			}
			ids = ids[t.Lookups:]
		}
	}
	return nil
}
