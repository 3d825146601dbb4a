package data

import (
	"errors"
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// Concat returns the inputs of several sources of the same shape, one source after another. The
// numbers of inputs of all sources but the last must be known.
func Concat(name string, sources ...Source) (Source, error) {
	if len(sources) == 0 {
		return nil, fmt.Errorf("%s: no sources, expected at least 1", name)
	}
	for _, s := range sources[:len(sources)-1] {
		if _, known := s.Len(); !known {
			return nil, fmt.Errorf("%s: it is not known how many inputs there are, so no others can follow them; index the log by a first pass", s.Name())
		}
	}
	return sequence{name, sources}, nil
}

// sequence implements Concat.
type sequence struct {
	name    string
	sources []Source
}

func (s sequence) Name() string { return s.name }
func (s sequence) Shape() Shape { return s.sources[0].Shape() }

func (s sequence) Len() (sum int64, known bool) {
	for _, of := range s.sources {
		var n int64
		n, known = of.Len()
		sum += n
	}
	return sum, known
}

func (s sequence) Open(at int64) (Reader, error) {
	last := len(s.sources) - 1
	for i, of := range s.sources[:last] {
		n, _ := of.Len()
		if at < n {
			return s.open(i, at)
		}
		at -= n
	}
	return s.open(last, at)
}

func (s sequence) open(i int, at int64) (Reader, error) {
	r, err := s.sources[i].Open(at)
	if err != nil {
		return nil, err
	}
	return &sequenceReader{r, s, i + 1}, nil
}

type sequenceReader struct {
	Reader
	sequence
	next int // index of the next source
}

func (r *sequenceReader) Read(b *dlrm.Batch, n int) error {
	before := b.Len()
	for b.Len()-before < n {
		err := r.Reader.Read(b, n-(b.Len()-before))
		switch {
		case err == nil:
		case !errors.Is(err, io.EOF):
			return err
		case r.next < len(r.sources):
			if err := r.advance(); err != nil {
				return err
			}
		case b.Len() > before:
			return nil
		default:
			return err
		}
	}
	return nil
}

// advance continues with the next source.
func (r *sequenceReader) advance() error {
	next, err := r.sources[r.next].Open(0)
	if err != nil {
		return err
	}
	before := r.Reader
	r.Reader, r.next = next, r.next+1
	return before.Close()
}
