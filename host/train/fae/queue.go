package fae

import (
	"errors"
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
)

// queue reads the inputs of a kind on demand, in the order of the data, with its own reader.
type queue struct {
	from   *train.Batches
	inputs *static.Inputs
	hot    bool
	m, i   int   // the next input: mini-batch of from, and index in it
	number int64 // among all inputs
}

func newQueue(b *train.Batches, inputs *static.Inputs, hot bool) *queue {
	return &queue{from: b.Again(), inputs: inputs, hot: hot, m: b.First()}
}

// len returns the total number of inputs of the kind.
func (q *queue) len() int64 {
	if q.hot {
		return q.inputs.Popular()
	}
	return q.inputs.Len() - q.inputs.Popular()
}

// batches returns the number of mini-batches that they fill.
func (q *queue) batches() int {
	return int((q.len() + int64(q.from.Size()) - 1) / int64(q.from.Size()))
}

// next returns the next mini-batch. It returns an error if reading fails, or if there are fewer
// inputs than were classified.
func (q *queue) next() (dlrm.Batch, error) {
	var batch dlrm.Batch
	for batch.Len() < q.from.Size() && q.number < q.inputs.Len() {
		source, err := q.from.At(q.m)
		if errors.Is(err, io.EOF) {
			return batch, fmt.Errorf("fae: %d inputs were classified, but there are only %d", q.inputs.Len(), q.number)
		}
		if err != nil {
			return batch, err
		}
		for ; q.i < source.Len() && batch.Len() < q.from.Size() && q.number < q.inputs.Len(); q.i++ {
			if q.inputs.Hot(q.number) == q.hot {
				batch.Append(source.At(q.i))
			}
			q.number++
		}
		if q.i == source.Len() {
			q.m, q.i = q.m+1, 0
		}
	}
	return batch, nil
}

// end returns an error if there are inputs after the last classified input.
func (q *queue) end() error {
	switch source, err := q.from.At(q.m); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	case q.number == q.inputs.Len() && q.i < source.Len():
		return fmt.Errorf("fae: %d inputs were classified, but there are more", q.inputs.Len())
	}
	return nil
}

func (q *queue) close() error { return q.from.Close() }
