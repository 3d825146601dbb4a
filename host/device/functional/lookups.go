package functional

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
)

// Lookups are the lookup engines and the banks of the EAL by themselves, without commands,
// memories and a link: studies of their sizes need no more. A sweep takes as many cycles as in the
// accelerator (docs/evidence/verification.md).
type Lookups struct {
	engines *engines
	p       arch.Params
}

// Sweep is what came of the words of a mini-batch.
type Sweep struct {
	Words  int
	Cycles int64
	Cached int // words that the engines' caches have answered
}

// NewLookups makes engines with empty caches. Without caches each word goes to its bank: hardware
// has them always, and only this model can leave them out.
func NewLookups(p arch.Params, caches bool) *Lookups {
	l := &Lookups{newEngines(p), p}
	l.engines.uncached = !caches
	return l
}

// Sweep looks up the words of a mini-batch, of which each input has one for each of bases, the id
// of row 0 of its table. Unless nil, the tracker learns them.
func (l *Lookups) Sweep(words, bases []uint32, tracker *eal.Tracker) Sweep {
	cycles := l.engines.sweep(lookup.IDs(l.p, words, bases), lookup.Keys(l.p, words, bases), len(bases), tracker)
	return Sweep{len(words), cycles, l.engines.cached}
}

// Rate is how many words are looked up in a cycle, from the start of the sweep to its end.
func (s Sweep) Rate() float64 { return float64(s.Words) / float64(s.Cycles) }
