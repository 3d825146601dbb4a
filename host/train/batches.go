package train

import (
	"errors"
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
)

// Batches cuts a source into mini-batches, in the order of the source. The last mini-batch holds
// the remaining inputs and may be smaller. Mini-batches are read on demand and the latest are kept,
// so sequential access with a short look-ahead reads the source once.
type Batches struct {
	model  dlrm.Config
	source data.Source
	size   int
	limit  int64 // maximum number of inputs; 0 means no limit
	first  int

	reader data.Reader
	next   int          // number of the next mini-batch to read
	kept   []dlrm.Batch // the mini-batches before next
	keep   int          // maximum length of kept
	end    int          // number of mini-batches, -1 while unknown
}

// kept is the default number of mini-batches to keep: the current one, two that are staged for the
// accelerator, and one to spare.
const kept = 4

// near is the distance, in mini-batches, below which seek reads and drops inputs instead of
// jumping: a jump may read a packed file from its start.
const near = 64

// Fits returns an error if the inputs of a source do not have the shape that the model expects.
func Fits(model dlrm.Config, source data.Source) error {
	switch shape := source.Shape(); {
	case shape.DenseWidth() != model.DenseWidth():
		return fmt.Errorf("train: inputs of %s have %d dense features, the model has %d", source.Name(), shape.DenseWidth(), model.DenseWidth())
	case shape.Lookups() != model.Lookups():
		return fmt.Errorf("train: inputs of %s have %d lookups, the model has %d", source.Name(), shape.Lookups(), model.Lookups())
	}
	return nil
}

// NewBatches cuts the first limit inputs of a source, or all inputs if limit is 0, into
// mini-batches of size inputs. It returns an error if the source does not fit the model, if size is
// not positive, or if limit is negative.
func NewBatches(model dlrm.Config, source data.Source, size int, limit int64) (*Batches, error) {
	if size < 1 || limit < 0 {
		return nil, fmt.Errorf("train: mini-batches of %d inputs, and %d inputs, expected at least 1 and 0", size, limit)
	}
	if err := Fits(model, source); err != nil {
		return nil, err
	}
	return &Batches{model: model, source: source, size: size, limit: limit, keep: kept, end: -1}, nil
}

// Again returns the same mini-batches with a reader of their own.
func (b *Batches) Again() *Batches { return b.From(b.first) }

// From returns the same mini-batches from number first on, with a reader of their own. The
// numbering does not change.
func (b *Batches) From(first int) *Batches {
	return &Batches{model: b.model, source: b.source, size: b.size, limit: b.limit, first: first, keep: b.keep, end: -1}
}

// Keep keeps at least n mini-batches, for callers that look n mini-batches ahead.
func (b *Batches) Keep(n int) { b.keep = max(b.keep, n) }

// First returns the number of the first mini-batch to train on.
func (b *Batches) First() int { return b.first }

// Close closes the reader. The mini-batches that are kept remain available.
func (b *Batches) Close() error {
	if b.reader == nil {
		return nil
	}
	err := b.reader.Close()
	b.reader = nil
	return err
}

// Source returns the source of the inputs.
func (b *Batches) Source() data.Source { return b.source }

// Behind reads up to n inputs of the source that follow the mini-batches. It returns fewer if the
// source ends.
func (b *Batches) Behind(n int) (dlrm.Batch, error) {
	var batch dlrm.Batch
	if b.limit == 0 {
		return batch, nil
	}
	r, err := b.source.Open(b.limit)
	if err != nil {
		return batch, err
	}
	defer r.Close()
	for batch.Len() < n && err == nil {
		err = r.Read(&batch, n-batch.Len())
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return batch, err
}

// Size returns the number of inputs of every mini-batch except the last.
func (b *Batches) Size() int { return b.size }

// Len returns the number of mini-batches, counted from mini-batch 0, if the source or the limit
// determines it.
func (b *Batches) Len() (n int, known bool) {
	inputs, known := b.source.Len()
	switch {
	case b.end >= 0:
		return b.end, true
	case b.limit > 0 && (!known || b.limit < inputs):
		return int((b.limit + int64(b.size) - 1) / int64(b.size)), known
	}
	return int((inputs + int64(b.size) - 1) / int64(b.size)), known
}

// Rest returns the number of mini-batches from the first one on. It reads all of them if neither the
// source nor the limit determines it.
func (b *Batches) Rest() (n int, err error) {
	if all, known := b.Len(); known {
		return all - b.first, nil
	}
	own := b.Again()
	defer own.Close()
	err = own.Each(func(int, dlrm.Batch) error { n++; return nil })
	return n, err
}

// Each calls f for all mini-batches in order. It stops at the first error of f or of the reader and
// returns it.
func (b *Batches) Each(f func(m int, batch dlrm.Batch) error) error {
	for m := b.first; ; m++ {
		batch, err := b.At(m)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := f(m, batch); err != nil {
			return err
		}
	}
}

// Steps calls step for all mini-batches in order, and passes each result to done. It stops at the
// first error of step, done or the reader and returns it.
func (b *Batches) Steps(step func(m int, batch dlrm.Batch) (Step, error), done func(Step) error) error {
	return b.Each(func(m int, batch dlrm.Batch) error {
		s, err := step(m, batch)
		if err != nil {
			return err
		}
		return done(s)
	})
}

// Has reports whether mini-batch m exists.
func (b *Batches) Has(m int) (bool, error) {
	_, err := b.At(m)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	return err == nil, err
}

// At returns mini-batch m, which the caller must not change. The error is io.EOF after the last
// mini-batch. If an input does not fit the model, the error contains its number.
func (b *Batches) At(m int) (dlrm.Batch, error) {
	if first := b.next - len(b.kept); m >= first && m < b.next {
		return b.kept[m-first], nil
	}
	if b.end >= 0 && m >= b.end {
		return dlrm.Batch{}, io.EOF
	}
	if err := b.seek(m); err != nil {
		return dlrm.Batch{}, err
	}
	for b.next <= m {
		if err := b.read(); err != nil {
			return dlrm.Batch{}, err
		}
	}
	return b.kept[len(b.kept)-1], nil
}

// seek positions the reader so that it will reach mini-batch m.
func (b *Batches) seek(m int) error {
	if b.reader != nil && m >= b.next && m-b.next < near {
		return nil
	}
	if err := b.Close(); err != nil {
		return err
	}
	b.next, b.kept = m, nil
	var err error
	b.reader, err = b.source.Open(int64(m) * int64(b.size))
	return err
}

func (b *Batches) read() error {
	n, first := int64(b.size), int64(b.next)*int64(b.size)
	if b.limit > 0 {
		n = min(n, b.limit-first)
	}
	var batch dlrm.Batch
	err := io.EOF
	if n > 0 {
		err = b.reader.Read(&batch, int(n))
	}
	if errors.Is(err, io.EOF) && batch.Len() == 0 {
		if b.next == 0 {
			return fmt.Errorf("train: %s has no inputs", b.source.Name())
		}
		b.end = b.next
		return io.EOF
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for i := range batch.Len() {
		if err := b.model.Check(batch.At(i)); err != nil {
			return fmt.Errorf("train: input %d of %s: %w", first+int64(i), b.source.Name(), err)
		}
	}
	b.kept, b.next = append(b.kept, batch), b.next+1
	if len(b.kept) > b.keep {
		b.kept = b.kept[1:]
	}
	return nil
}
