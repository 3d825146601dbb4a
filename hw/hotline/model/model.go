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

// Model is an accelerator: rings and completions, commands and registers, hot rows, reads, and
// arithmetic.
type Model struct {
	ISA      isa.Model
	Dispatch *dispatch.Model
	EAL      *eal.Tracker
	Reads    *dma.ReadModel
	Reducer  *reduce.Model

	p     arch.Params
	ahead [][]uint32 // rows that Execute has read and no operation has consumed
}

// New returns an accelerator after reset. p must be valid.
func New(p arch.Params) *Model {
	return &Model{
		Dispatch: dispatch.NewModel(p), EAL: eal.NewTracker(p), Reads: dma.NewReadModel(p.Tags, p.StreamBytes()),
		Reducer: reduce.NewModel(p.VectorValues), p: p,
	}
}

// Keys returns the EAL keys of the words of a mini-batch.
func (m *Model) Keys(words []uint32) []uint32 { return lookup.Keys(m.p, words, m.Dispatch.Bases()) }

// BeginLearn prepares the EAL for a learn. It must be called before the accesses of the learn.
func (m *Model) BeginLearn() {
	if m.Dispatch.Listed {
		m.EAL.Begin()
	}
}

// Run executes a command that was not refused and whose words, if any, were loaded. keys are the
// keys of the words. The caller must already have applied the accesses of a learn to the EAL.
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
