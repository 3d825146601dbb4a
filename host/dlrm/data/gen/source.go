package gen

import (
	"io"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
)

// Source generates the inputs that Params describes. It implements data.Source.
type Source struct {
	p        Params
	inputs   int64
	contexts zipf
	laws     []*guide
	slots    []int // index of the first lookup of each table within a time step
	plant    plant
}

// New returns a source with the given number of inputs, or the error of Params.Validate.
func New(p Params, inputs int64) (*Source, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	s := &Source{p: p, inputs: max(0, inputs), contexts: newZipf(p.Contexts, p.ContextZipf)}
	slot := 0
	for _, t := range p.Tables {
		s.laws = append(s.laws, newGuide(newLaw(t)))
		s.slots = append(s.slots, slot)
		slot += t.Lookups
	}
	s.plant = newPlant(p, s.laws)
	return s, nil
}

// Name returns the name in the parameters.
func (s *Source) Name() string { return s.p.Name }

// Shape returns the shape of the inputs.
func (s *Source) Shape() data.Shape {
	shape := data.Shape{Dense: s.p.Dense, Steps: s.p.Steps}
	for _, t := range s.p.Tables {
		shape.Tables = append(shape.Tables, t.Table)
	}
	return shape
}

// Len returns the number of inputs passed to New.
func (s *Source) Len() (int64, bool) { return s.inputs, true }

// Open returns a reader that starts at an input.
func (s *Source) Open(at int64) (data.Reader, error) { return &reader{Source: s, at: at}, nil }

type reader struct {
	*Source
	at int64
}

// Read implements data.Reader.
func (r *reader) Read(b *dlrm.Batch, n int) error {
	if r.at >= r.inputs {
		return io.EOF
	}
	for range min(int64(n), r.inputs-r.at) {
		r.draw(r.at, b)
		r.at++
	}
	return nil
}

func (r *reader) Close() error { return nil }

// Kinds of random numbers, used as the second word of their keys.
const (
	keyInput uint64 = iota
	keyList
	keyPhase
	keyMood
	keyDenseWeight
	keyRowWeight
)
