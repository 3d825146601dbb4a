package data

import (
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// Range returns the inputs from, from+1, ..., to-1 of a source, limited to the existing inputs.
func Range(s Source, from, to int64) (Source, error) {
	if from < 0 || to < from {
		return nil, fmt.Errorf("%s: inputs %d to %d, expected a range that begins at 0 or above and does not end before it begins",
			s.Name(), from, to)
	}
	return part{s, from, to}, nil
}

// part is a range of a source.
type part struct {
	of       Source
	from, to int64
}

func (p part) Name() string {
	return fmt.Sprintf("%s, inputs %d to %d", p.of.Name(), p.from, p.to)
}

func (p part) Shape() Shape { return p.of.Shape() }

func (p part) Len() (int64, bool) {
	n, known := p.of.Len()
	return max(0, min(p.to, n)-p.from), known
}

func (p part) Open(at int64) (Reader, error) {
	left := max(0, p.to-p.from-at)
	r, err := p.of.Open(min(p.from+at, p.to))
	if err != nil {
		return nil, err
	}
	return &partReader{r, left}, nil
}

type partReader struct {
	Reader
	left int64
}

func (r *partReader) Read(b *dlrm.Batch, n int) error {
	if r.left == 0 {
		return io.EOF
	}
	before := b.Len()
	err := r.Reader.Read(b, int(min(int64(n), r.left)))
	r.left -= int64(b.Len() - before)
	return err
}
