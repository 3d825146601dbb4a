package memory

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Item is a lookup of a non-popular input, or half an entry of an update list. An entry counts as
// an input with two lookups, its gradient and its row.
type Item struct {
	Next hw.Bits `doc:"the next item is of the next input of the group, else of the first"`
	End  hw.Bits `doc:"last lookup of its input"`
	Slot hw.Bits `hw:"SlotBits" doc:"lookup slot"`
	Word hw.Bits `hw:"PlaceBits" doc:"number of its word in the half"`
}

// lookup holds the fields that travel with an item through the Controller.
type lookup struct {
	Next  hw.Bits `doc:"the next place is of the next input of the group, else of the first"`
	End   hw.Bits `doc:"last lookup of its input"`
	First hw.Bits `doc:"of its table; the gradient of an update"`
	Last  hw.Bits `doc:"of its table; the row of an update"`
	Hit   hw.Bits `doc:"the EAL holds the row; never in an update"`
	Way   hw.Bits `hw:"WayBits" doc:"in which"`
	Table hw.Bits `hw:"TableBits"`
	Index hw.Bits `hw:"32" doc:"of the row in its table"`
}

// place describes a lookup, or half an entry of an update list, for the Emitter: the location of
// its row and the operation on it.
type place struct {
	Next  hw.Bits `doc:"the next place is of the next input of the group, else of the first"`
	End   hw.Bits `doc:"last lookup of its input"`
	First hw.Bits `doc:"of its table; the gradient of an update"`
	Last  hw.Bits `doc:"of its table; the row of an update"`
	Hit   hw.Bits `doc:"block holds the row"`
	Block hw.Bits `hw:"BlockBits"`
	Table hw.Bits `hw:"TableBits"`
	Index hw.Bits `hw:"32" doc:"of the row in its table"`
	Base  hw.Bits `hw:"64" doc:"address of the table"`
}

// HotEntry is a row that the EAL holds.
type HotEntry struct {
	Block hw.Bits `hw:"32" doc:"number of the block"`
	Row   hw.Bits `hw:"32" doc:"id"`
}

// entryBits is the width of a HotEntry.
const entryBits = 8 * arch.HotRowBytes
