package model

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/isa"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// Model is an accelerator: rings and completions, commands and registers, hot rows,
// reads, and arithmetic.
type Model struct {
	ISA      isa.Model
	Dispatch *dispatch.Model
	EAL      *eal.Tracker
	Reads    *dma.ReadModel
	Reducer  *reduce.Model

	p     arch.Params
	ahead [][]uint32 // rows that Execute has read, and no operation has used
}

// New is an accelerator after reset; p is valid.
func New(p arch.Params) *Model {
	return &Model{
		Dispatch: dispatch.NewModel(p), EAL: eal.NewTracker(p), Reads: dma.NewReadModel(p.Tags, p.StreamBytes()),
		Reducer: reduce.NewModel(p.VectorValues), p: p,
	}
}

// Keys are those of the words of a mini-batch, as the EAL is asked for them.
func (m *Model) Keys(words []uint32) []uint32 { return lookup.Keys(m.p, words, m.Dispatch.Bases()) }

// BeginLearn comes before the accesses of a learn.
func (m *Model) BeginLearn() {
	if m.Dispatch.Listed {
		m.EAL.Begin()
	}
}

// Run is what a command does that was not refused and has its words, if it loads some;
// keys are theirs. A learn has shown them to the EAL before.
func (m *Model) Run(c arch.Command, words, keys []uint32) dispatch.Effect {
	s := dispatch.Environment{Words: words, EAL: m.EAL}
	if c.Opcode == arch.Classify {
		s.Results = lookup.Probe(m.EAL, keys)
	}
	e := m.Dispatch.Run(c, s)
	for _, r := range s.Results {
		if r.Hit {
			e.Hot++
		}
	}
	return e
}
