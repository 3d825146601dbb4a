package data

import (
	"errors"
	"io"

	"github.com/hotline-rtl/hotline/host/rec"
)

// Set is a data set in memory, in the order in which a training run reads it.
type Set struct {
	Name    string
	Dense   int         // dense features of a time step
	Steps   int         // time steps of a sample; 0 or 1 if there is no time
	Tables  []rec.Table // row counts cover every index that occurs
	Samples []rec.Sample
}

// Source returns the set as a source.
func (s *Set) Source() Source {
	var all rec.Batch
	for _, in := range s.Samples {
		all.Append(in)
	}
	return InMemory(s.Name, Shape{Dense: s.Dense, Steps: s.Steps, Tables: s.Tables}, all)
}

// chunk is how many inputs are read at a time.
const chunk = 1024

// Load reads a source into memory: all of it, or the first limit inputs if limit is positive.
func Load(s Source, limit int) (*Set, error) {
	r, err := s.Open(0)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	shape := s.Shape()
	set := &Set{Name: s.Name(), Dense: shape.Dense, Steps: shape.Steps, Tables: shape.Tables}
	for limit <= 0 || len(set.Samples) < limit {
		n := chunk
		if limit > 0 {
			n = min(n, limit-len(set.Samples))
		}
		var b rec.Batch // a new one each time: the samples are views of it
		if err := r.Read(&b, n); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		for i := range b.Len() {
			set.Samples = append(set.Samples, b.At(i))
		}
	}
	return set, nil
}
