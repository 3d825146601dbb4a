package data

import (
	"errors"
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// Shuffle returns the inputs of a source in the order of an epoch. It permutes them within windows
// of consecutive inputs, so a window that holds all inputs shuffles all of them. The permutation
// depends only on the seed, the epoch, and the number and the length of the window. A reader keeps
// one window in memory.
func Shuffle(s Source, window int, seed uint64, epoch int) (Source, error) {
	if window < 1 {
		return nil, fmt.Errorf("%s: shuffled in windows of %d inputs, expected at least 1", s.Name(), window)
	}
	return shuffled{s, window, detmath.Hash(seed, keyOrder, uint64(epoch))}, nil
}

// shuffled implements Shuffle.
type shuffled struct {
	Source
	window int
	seed   uint64 // of the epoch
}

func (s shuffled) Name() string {
	return fmt.Sprintf("%s, shuffled in windows of %d", s.Source.Name(), s.window)
}

func (s shuffled) Open(at int64) (Reader, error) {
	window, skip := at/int64(s.window), int(at%int64(s.window))
	r, err := s.Source.Open(at - int64(skip))
	if err != nil {
		return nil, err
	}
	w := &shuffledReader{Reader: r, shuffled: s, number: window}
	if err := w.next(); err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, r.Close())
	}
	w.order = w.order[min(skip, len(w.order)):]
	return w, nil
}

type shuffledReader struct {
	Reader
	shuffled
	number int64 // of the next window
	inputs dlrm.Batch
	order  []int // inputs of the current window that remain
}

// next reads and permutes the next window, or returns io.EOF.
func (r *shuffledReader) next() error {
	r.inputs.Reset()
	for r.inputs.Len() < r.window {
		err := r.Reader.Read(&r.inputs, r.window-r.inputs.Len())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if r.inputs.Len() == 0 {
		return io.EOF
	}
	r.order = permutation(detmath.NewStream(r.seed, uint64(r.number)), r.inputs.Len())
	r.number++
	return nil
}

// permutation returns a random permutation of the numbers below n, which must be far below 2^32.
func permutation(random *detmath.Stream, n int) []int {
	order := make([]int, n)
	for i := range order {
		j := int(random.Uint64() >> 32 * uint64(i+1) >> 32)
		order[i], order[j] = order[j], i
	}
	return order
}

func (r *shuffledReader) Read(b *dlrm.Batch, n int) error {
	before := b.Len()
	for b.Len()-before < n {
		if len(r.order) == 0 {
			if err := r.next(); errors.Is(err, io.EOF) && b.Len() > before {
				return nil
			} else if err != nil {
				return err
			}
		}
		b.Append(r.inputs.At(r.order[0]))
		r.order = r.order[1:]
	}
	return nil
}
