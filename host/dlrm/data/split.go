package data

import (
	"errors"
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

// SplitShare splits a source into training inputs and held-out test inputs. The test inputs are the
// last inputs of the source; held is their share (0 to 1), rounded down. The number of inputs must
// be known.
func SplitShare(s Source, held float64) (train, test Source, err error) {
	n, known := s.Len()
	switch {
	case !(held >= 0 && held <= 1):
		return nil, nil, fmt.Errorf("%s: a share of %v is to be held out, expected 0 to 1", s.Name(), held)
	case !known:
		return nil, nil, fmt.Errorf("%s: it is not known how many inputs there are, so a share cannot be held out; "+
			"hold out every k-th, or index the log by a first pass", s.Name())
	}
	cut := n - int64(held*float64(n))
	return part{s, 0, cut}, part{s, cut, n}, nil
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

// SplitEvery splits a source into training inputs and held-out test inputs. The test inputs are
// every k-th input: numbers k-1, 2k-1, ... k is at least 2.
func SplitEvery(s Source, k int64) (train, test Source, err error) {
	if k < 2 {
		return nil, nil, fmt.Errorf("%s: every %d-th input cannot be held out, expected at least every second", s.Name(), k)
	}
	return every{s, k, false}, every{s, k, true}, nil
}

// every is each k-th input of a source, or all other inputs.
type every struct {
	of   Source
	k    int64
	held bool
}

func (e every) Name() string {
	if e.held {
		return fmt.Sprintf("%s, every %d-th input", e.of.Name(), e.k)
	}
	return fmt.Sprintf("%s without every %d-th input", e.of.Name(), e.k)
}

func (e every) Shape() Shape { return e.of.Shape() }

func (e every) Len() (int64, bool) {
	n, known := e.of.Len()
	if e.held {
		return n / e.k, known
	}
	return n - n/e.k, known
}

// place returns the index in the whole source of input at.
func (e every) place(at int64) int64 {
	if e.held {
		return at*e.k + e.k - 1
	}
	return at/(e.k-1)*e.k + at%(e.k-1)
}

func (e every) Open(at int64) (Reader, error) {
	begin := e.place(at)
	r, err := e.of.Open(begin)
	if err != nil {
		return nil, err
	}
	return &everyReader{Reader: r, every: e, at: begin}, nil
}

type everyReader struct {
	Reader
	every
	at  int64 // index in the whole source of the next input
	one dlrm.Batch
}

func (r *everyReader) Read(b *dlrm.Batch, n int) error {
	before := b.Len()
	for b.Len()-before < n {
		r.one.Reset()
		err := r.Reader.Read(&r.one, n-(b.Len()-before))
		for i := range r.one.Len() {
			if (r.at%r.k == r.k-1) == r.held {
				b.Append(r.one.At(i))
			}
			r.at++
		}
		if errors.Is(err, io.EOF) && b.Len() > before {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}
