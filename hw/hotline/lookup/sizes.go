package lookup

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

const (
	wordBits   = 32 // a word of the mini-batch
	QueueDepth = 6  // of an engine's queues to the EAL
	cacheWays  = 2
	saltFactor = 5 // spreads equal ids of different lookup slots over the cache
)

// halfRows is the number of rows of an eDRAM half.
func halfRows(p arch.Params) int { return p.BankWords() / 2 }

// rowWidth is the width of a number of rows of a half. Two such numbers that
// differ by at most a window must differ in the width.
func rowWidth(p arch.Params) int { return max(hw.CountWidth(halfRows(p)), p.SlotBits()+1) }

// addressWidth is the width of an eDRAM row: half, row of the half.
func addressWidth(p arch.Params) int { return hw.IndexWidth(p.BankWords()) }

func address(p arch.Params, half, row hw.Bits) hw.Bits {
	return hw.Cat(half, row.Resize(addressWidth(p)-1))
}

// laneWidth is the width of an engine's number.
func laneWidth(p arch.Params) int { return arch.Log2(p.Engines) }

// slotsWidth is the width of L, 1 to Slots.
func slotsWidth(p arch.Params) int { return hw.IndexWidth(p.Slots) + 1 }

// stepWidth is the width of arithmetic on lookup slots: of E, of L, and of the
// sum of two slots.
func stepWidth(p arch.Params) int { return max(laneWidth(p)+1, slotsWidth(p)) }

// cacheSets is the number of sets of an engine's cache.
func cacheSets(p arch.Params) int { return p.Cache / cacheWays }

// indexWidth is the width of a set's number in the cache.
func indexWidth(p arch.Params) int { return hw.IndexWidth(cacheSets(p)) }

// before tells whether word row·E + lane is one of the words.
func before(row, lane, words hw.Bits) hw.Bits {
	word := hw.Cat(row, lane)
	width := max(word.Width(), words.Width())
	return word.Ext(width).Lt(words.Ext(width))
}
