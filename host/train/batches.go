package train

import (
	"errors"
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
)

// Batches are the mini-batches of a source, in its order. The last one holds what
// is left. They are read when they are asked for, and the latest are kept: whoever
// asks for one after the other, or a little ahead, reads the source once.
type Batches struct {
	model  dlrm.Config
	source data.Source
	size   int
	limit  int64 // of inputs; none if it is 0
	first  int

	reader data.Reader
	next   int          // number of the mini-batch that is read next
	kept   []dlrm.Batch // those before it
	keep   int          // how many
	end    int          // number of mini-batches, -1 if it is not known yet
}

// kept is how many mini-batches are kept at least: that which is trained on, and two that
// are staged for the accelerator, with one to spare.
const kept = 4

// near is how many mini-batches are rather read and dropped than jumped over: to
// jump may take reading a packed file from its start.
const near = 64

// Fits reports inputs of a source that are not those of a model.
func Fits(model dlrm.Config, source data.Source) error {
	switch shape := source.Shape(); {
	case shape.DenseWidth() != model.DenseWidth():
		return fmt.Errorf("train: inputs of %s have %d dense features, the model has %d", source.Name(), shape.DenseWidth(), model.DenseWidth())
	case shape.Lookups() != model.Lookups():
		return fmt.Errorf("train: inputs of %s have %d lookups, the model has %d", source.Name(), shape.Lookups(), model.Lookups())
	}
	return nil
}

// NewBatches cuts the first limit inputs of a source, or all if limit is 0, into
// mini-batches of size inputs. Errors: the source does not fit the model; size is
// not positive, limit is negative.
func NewBatches(model dlrm.Config, source data.Source, size int, limit int64) (*Batches, error) {
	if size < 1 || limit < 0 {
		return nil, fmt.Errorf("train: mini-batches of %d inputs, and %d inputs, expected at least 1 and 0", size, limit)
	}
	if err := Fits(model, source); err != nil {
		return nil, err
	}
	return &Batches{model: model, source: source, size: size, limit: limit, keep: kept, end: -1}, nil
}

// Again are the same mini-batches, read by another reader.
func (b *Batches) Again() *Batches { return b.From(b.first) }

// From are the same mini-batches from number first on, read by another reader.
// Their numbers stay what they are.
func (b *Batches) From(first int) *Batches {
	return &Batches{model: b.model, source: b.source, size: b.size, limit: b.limit, first: first, keep: b.keep, end: -1}
}

// Keep has as many mini-batches kept as one who looks that far ahead needs.
func (b *Batches) Keep(n int) { b.keep = max(b.keep, n) }

// First is the number of the first mini-batch to train on.
func (b *Batches) First() int { return b.first }

// Close ends reading. What was kept remains.
func (b *Batches) Close() error {
	if b.reader == nil {
		return nil
	}
	err := b.reader.Close()
	b.reader = nil
	return err
}

// Source is where the inputs come from.
func (b *Batches) Source() data.Source { return b.source }

// Behind reads up to n inputs of the source that come behind the mini-batches, as
// many as there are.
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

// Size is the number of inputs of every mini-batch but the last.
func (b *Batches) Size() int { return b.size }

// Len is the number behind the last mini-batch, if the source or the limit tells.
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

// Each visits all mini-batches in order. The error is that of f, or of reading.
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

// Steps visits all mini-batches in order: it takes a step of each, and hands it to done.
// The error is that of either, or of reading.
func (b *Batches) Steps(step func(m int, batch dlrm.Batch) (Step, error), done func(Step) error) error {
	return b.Each(func(m int, batch dlrm.Batch) error {
		s, err := step(m, batch)
		if err != nil {
			return err
		}
		return done(s)
	})
}

// Has tells whether there is a mini-batch m.
func (b *Batches) Has(m int) (bool, error) {
	_, err := b.At(m)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	return err == nil, err
}

// At is mini-batch m, which must not be changed. The error is io.EOF behind the
// last one; of an input that does not fit the model it tells the number.
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

// seek makes the reader one that comes to m.
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

// read reads the next mini-batch.
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
