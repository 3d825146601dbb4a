package data

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// Kinds of random numbers, used as the second word of their keys.
const (
	keyHeldOut uint64 = 0x1000 + iota
	keyOrder
)

// SplitRandom splits a source into training inputs and held-out test inputs, both in the order of
// the source. Each input is held out with probability held, above 0 and below 1. This depends only
// on the seed and on the input's number. The number of inputs must be known.
func SplitRandom(s Source, held float64, seed uint64) (train, test Source, err error) {
	n, known := s.Len()
	switch {
	case !(held > 0 && held < 1):
		return nil, nil, fmt.Errorf("%s: a share of %v is to be held out, expected above 0 and below 1", s.Name(), held)
	case !known:
		return nil, nil, fmt.Errorf("%s: it is not known how many inputs there are, so none can be held out at random; "+
			"hold out the last, or index the log by a first pass", s.Name())
	}
	isHeld := func(i int64) bool { return detmath.Unit(detmath.Hash(seed, keyHeldOut, uint64(i))) < held }
	train = newSubset(s, fmt.Sprintf("%s without a random share of %v", s.Name(), held), n, func(i int64) bool { return !isHeld(i) })
	return train, newSubset(s, fmt.Sprintf("%s, a random share of %v", s.Name(), held), n, isHeld), nil
}

// subset contains the inputs, among the first n of a source, whose numbers a predicate selects.
type subset struct {
	of   Source
	name string
	n    int64
	has  func(i int64) bool
	len  func() int64
}

func newSubset(of Source, name string, n int64, has func(i int64) bool) subset {
	s := subset{of: of, name: name, n: n, has: has}
	s.len = sync.OnceValue(func() (members int64) {
		for i := range n {
			if has(i) {
				members++
			}
		}
		return members
	})
	return s
}

func (s subset) Name() string       { return s.name }
func (s subset) Shape() Shape       { return s.of.Shape() }
func (s subset) Len() (int64, bool) { return s.len(), true }

// Open finds the place in the whole source by counting.
func (s subset) Open(at int64) (Reader, error) {
	place := int64(0)
	for ; place < s.n && (at > 0 || !s.has(place)); place++ {
		if s.has(place) {
			at--
		}
	}
	r, err := s.of.Open(place)
	if err != nil {
		return nil, err
	}
	return &subsetReader{Reader: r, subset: s, at: place}, nil
}

type subsetReader struct {
	Reader
	subset
	at  int64 // number in the whole source of the next input
	all dlrm.Batch
}

func (r *subsetReader) Read(b *dlrm.Batch, n int) error {
	before := b.Len()
	for b.Len()-before < n {
		r.all.Reset()
		err := r.Reader.Read(&r.all, n-(b.Len()-before))
		for i := range r.all.Len() {
			if r.at < r.n && r.has(r.at) {
				b.Append(r.all.At(i))
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
