package lookup

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
)

const (
	wordBits   = 32 // width of a word of the mini-batch
	QueueDepth = 6  // depth of each of an engine's queues to the EAL
	cacheWays  = 2
	saltFactor = 5 // spreads equal ids of different lookup slots over the sets of the cache

	// Refresh is the interval at which an engine asks the EAL for rows that its cache has, counted
	// in lookups while learning. Otherwise the EAL would evict rows that the caches have.
	Refresh = 32
)

// Sizes are the sizes of the array of lookup engines and of each engine. All but IDBits and
// HalfWords are powers of two.
type Sizes struct {
	Engines   int `doc:"lookup engines"`
	IDBits    int `doc:"row id" unit:"bits"`
	Ways      int `doc:"size of an EAL set" unit:"blocks"`
	Window    int `doc:"lookups in flight per engine"`
	Cache     int `doc:"recent answers kept per engine"`
	HalfWords int `doc:"words of a half of the input eDRAM"`
	Slots     int `doc:"most lookups per sample"`
}

// sizesOf returns the sizes of an accelerator.
func sizesOf(p arch.Params) Sizes {
	return Sizes{Engines: p.Engines, IDBits: p.IDBits(), Ways: p.Ways, Window: p.Window, Cache: p.Cache, HalfWords: p.HalfWords(), Slots: p.Slots}
}

// KeyBits returns the width of a key, which equals the width of an id.
func (p Sizes) KeyBits() int { return p.IDBits }

// TicketBits returns the width of a lookup's position in the window.
func (p Sizes) TicketBits() int { return arch.Log2(p.Window) }

// WayBits returns the width of a way number.
func (p Sizes) WayBits() int { return arch.Log2(p.Ways) }

// HalfRows returns the number of rows of an eDRAM half.
func (p Sizes) HalfRows() int { return p.HalfWords / p.Engines }

// RowBits returns the width of a number of rows of a half. It is wide enough that two numbers that
// differ by up to a window remain different.
func (p Sizes) RowBits() int { return max(hw.CountWidth(p.HalfRows()), p.TicketBits()+1) }

// AddressBits returns the width of the address of an eDRAM row: half, row of the half.
func (p Sizes) AddressBits() int { return hw.IndexWidth(2 * p.HalfRows()) }

func (p Sizes) address(half, row hw.Bits) hw.Bits {
	return hw.Cat(half, row.Resize(p.AddressBits()-1))
}

// LaneBits returns the width of an engine's number.
func (p Sizes) LaneBits() int { return arch.Log2(p.Engines) }

// CountBits returns the width of a number of engines.
func (p Sizes) CountBits() int { return hw.CountWidth(p.Engines) }

// Queues returns the number of an engine's queues to the EAL.
func (p Sizes) Queues() int { return eal.RequestQueues }

// ConflictBits returns the width of the number of requests per cycle.
func (p Sizes) ConflictBits() int { return hw.CountWidth(p.RequestPorts()) }

// WordsBits returns the width of a number of words.
func (p Sizes) WordsBits() int { return hw.CountWidth(p.HalfWords) }

// SlotBits returns the width of the number of a lookup slot.
func (p Sizes) SlotBits() int { return hw.IndexWidth(p.Slots) }

// SlotCountBits returns the width of L, which is 1 to Slots.
func (p Sizes) SlotCountBits() int { return p.SlotBits() + 1 }

// StepBits returns the width for arithmetic on lookup slots: for E, for L, and for the sum of two
// slots.
func (p Sizes) StepBits() int { return max(p.LaneBits()+1, p.SlotCountBits()) }

// CacheSets returns the number of sets of an engine's cache.
func (p Sizes) CacheSets() int { return p.Cache / cacheWays }

// IndexBits returns the width of a set number of the cache.
func (p Sizes) IndexBits() int { return hw.IndexWidth(p.CacheSets()) }

// RequestPorts returns the number of request ports of all engines.
func (p Sizes) RequestPorts() int { return eal.RequestQueues * p.Engines }

// AnswerPorts returns the number of answer ports of all engines.
func (p Sizes) AnswerPorts() int { return eal.AnswerGroups * p.Engines }

// before reports whether word row·E + lane is less than words.
func before(row, lane, words hw.Bits) hw.Bits {
	word := hw.Cat(row, lane)
	width := max(word.Width(), words.Width())
	return word.Ext(width).Lt(words.Ext(width))
}
