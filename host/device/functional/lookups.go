package functional

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
)

// Lookups models the lookup engines and the banks of the EAL without commands, memories and a link.
// It is sufficient for studies of their sizes. A sweep takes the same number of cycles as in the
// accelerator (docs/evidence/verification.md).
type Lookups struct {
	engines *engines
	p       arch.Params
}

// Sweep is the result of a sweep over the words of a mini-batch.
type Sweep struct {
	Words  int
	Cycles int64
	Cached int // number of words answered by the engines' caches
}

// NewLookups returns engines with empty caches. If caches is false, each word goes to its bank. The
// hardware always has caches; only this model can omit them.
func NewLookups(p arch.Params, caches bool) *Lookups {
	l := &Lookups{newEngines(p), p}
	l.engines.uncached = !caches
	return l
}

// Sweep looks up the words of a mini-batch. Each input has one word for each entry of bases, which
// contains the id of row 0 of each table. Unless nil, the tracker learns the words.
func (l *Lookups) Sweep(words, bases []uint32, tracker *eal.Tracker) Sweep {
	cycles := l.engines.sweep(lookup.IDs(l.p, words, bases), lookup.Keys(l.p, words, bases), len(bases), tracker)
	return Sweep{len(words), cycles, l.engines.cached}
}

// Rate returns the number of lookups per cycle, over the whole sweep.
func (s Sweep) Rate() float64 { return float64(s.Words) / float64(s.Cycles) }
