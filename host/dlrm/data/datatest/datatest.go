// Package datatest helps tests that hold inputs in memory: it reads inputs from a source, and
// creates a source from inputs.
package datatest

import (
	"errors"
	"io"
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
)

// Read reads all inputs of a source, or the first limit inputs if limit is positive. It returns the
// errors of the source.
func Read(s data.Source, limit int) ([]dlrm.Sample, error) {
	if limit <= 0 {
		limit = math.MaxInt
	}
	r, err := s.Open(0)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var b dlrm.Batch
	for b.Len() < limit {
		if err := r.Read(&b, limit-b.Len()); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
	}
	var inputs []dlrm.Sample
	for i := range b.Len() {
		inputs = append(inputs, b.At(i))
	}
	return inputs, nil
}

// Source returns a source with a copy of the inputs.
func Source(name string, shape data.Shape, inputs []dlrm.Sample) data.Source {
	var all dlrm.Batch
	for _, in := range inputs {
		all.Append(in)
	}
	return data.InMemory(name, shape, all)
}
