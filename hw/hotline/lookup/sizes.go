package lookup

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
)

const (
	wordBits   = 32 // a word of the mini-batch
	QueueDepth = 6  // of an engine's queues to the EAL
	cacheWays  = 2
	saltFactor = 5 // spreads equal ids of different lookup slots over the cache

	// Refresh is how many lookups in learning an engine counts that its cache has. It asks
	// for the last of them all the same, so that the EAL keeps a row that the caches have.
	Refresh = 32
)

// Sizes of the array of lookup engines and of each engine. All but IDBits and
// HalfWords are powers of two.
type Sizes struct {
	Engines   int
	IDBits    int // width of a row id
	Ways      int // of a set of the EAL
	Window    int // lookups in flight per engine
	Cache     int // recent answers kept per engine
	HalfWords int // words of a half of the eDRAM
	Slots     int // most lookups per input
}

// sizesOf are those of an accelerator.
func sizesOf(p arch.Params) Sizes {
	return Sizes{Engines: p.Engines, IDBits: p.IDBits(), Ways: p.Ways, Window: p.Window, Cache: p.Cache, HalfWords: p.HalfWords(), Slots: p.Slots}
}

// KeyBits is the width of a key: as an id has.
func (p Sizes) KeyBits() int { return p.IDBits }

// TicketBits is the width of a lookup's place in the window.
func (p Sizes) TicketBits() int { return arch.Log2(p.Window) }

// WayBits is the width of a way's number.
func (p Sizes) WayBits() int { return arch.Log2(p.Ways) }

// HalfRows is the number of rows of an eDRAM half.
func (p Sizes) HalfRows() int { return p.HalfWords / p.Engines }

// RowBits is the width of a number of rows of a half. Two such numbers that
// differ by at most a window must differ in the width.
func (p Sizes) RowBits() int { return max(hw.CountWidth(p.HalfRows()), p.TicketBits()+1) }

// AddressBits is the width of an eDRAM row: half, row of the half.
func (p Sizes) AddressBits() int { return hw.IndexWidth(2 * p.HalfRows()) }

func (p Sizes) address(half, row hw.Bits) hw.Bits {
	return hw.Cat(half, row.Resize(p.AddressBits()-1))
}

// LaneBits is the width of an engine's number.
func (p Sizes) LaneBits() int { return arch.Log2(p.Engines) }

// CountBits is the width of a number of engines.
func (p Sizes) CountBits() int { return hw.CountWidth(p.Engines) }

// Queues is the number of an engine's queues to the EAL.
func (p Sizes) Queues() int { return eal.RequestQueues }

// ConflictBits is the width of a number of requests in a cycle.
func (p Sizes) ConflictBits() int { return hw.CountWidth(p.RequestPorts()) }

// WordsBits is the width of a number of words.
func (p Sizes) WordsBits() int { return hw.CountWidth(p.HalfWords) }

// SlotBits is the width of the number of a lookup slot.
func (p Sizes) SlotBits() int { return hw.IndexWidth(p.Slots) }

// SlotCountBits is the width of L, 1 to Slots.
func (p Sizes) SlotCountBits() int { return p.SlotBits() + 1 }

// StepBits is the width of arithmetic on lookup slots: of E, of L, and of the
// sum of two slots.
func (p Sizes) StepBits() int { return max(p.LaneBits()+1, p.SlotCountBits()) }

// CacheSets is the number of sets of an engine's cache.
func (p Sizes) CacheSets() int { return p.Cache / cacheWays }

// IndexBits is the width of a set's number in the cache.
func (p Sizes) IndexBits() int { return hw.IndexWidth(p.CacheSets()) }

// RequestPorts is the number of requests of all engines in a cycle.
func (p Sizes) RequestPorts() int { return eal.RequestQueues * p.Engines }

// AnswerPorts is the number of answers to all engines in a cycle.
func (p Sizes) AnswerPorts() int { return eal.AnswerGroups * p.Engines }

// before tells whether word row·E + lane is one of the words.
func before(row, lane, words hw.Bits) hw.Bits {
	word := hw.Cat(row, lane)
	width := max(word.Width(), words.Width())
	return word.Ext(width).Lt(words.Ext(width))
}
