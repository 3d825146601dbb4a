package gen

import (
	"io"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
)

// Source makes the inputs that Params describe. It is a data.Source.
type Source struct {
	p        Params
	inputs   int64
	contexts zipf
	laws     []*guide
	slots    []int // where the lookups of a table begin in a time step
	plant    plant
}

// New returns a source of that many inputs, or the error of Params.Validate.
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

// Name returns that of the parameters.
func (s *Source) Name() string { return s.p.Name }

// Shape returns that of the parameters.
func (s *Source) Shape() data.Shape {
	shape := data.Shape{Dense: s.p.Dense, Steps: s.p.Steps}
	for _, t := range s.p.Tables {
		shape.Tables = append(shape.Tables, t.Table)
	}
	return shape
}

// Len returns how many inputs New was asked for.
func (s *Source) Len() (int64, bool) { return s.inputs, true }

// Open begins to read at an input.
func (s *Source) Open(at int64) (data.Reader, error) { return &reader{Source: s, at: at}, nil }

type reader struct {
	*Source
	at int64
}

// Read appends inputs to b, as data.Reader says.
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

// Kinds of random numbers, the second word of their keys.
const (
	keyInput uint64 = iota
	keyList
	keyPhase
	keyMood
	keyDenseWeight
	keyRowWeight
)
