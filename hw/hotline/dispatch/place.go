package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// place is what the emitter needs to know about a lookup, or an entry of an
// update list: where its row lies and what becomes of it.
type place struct {
	end, first, last hw.Bits // last lookup of its input; first and last of its table
	hit, way         hw.Bits // the EAL holds the row, in this way; never in an update
	table, index     hw.Bits // index of the row in its table
	set, base        hw.Bits // EAL set of the row, {row of the bank, bank}; address of the table
}

// each applies f to all fields but set and base.
func (x place) each(f func(name string, x hw.Bits) hw.Bits) place {
	return place{end: f("end", x.end), first: f("first", x.first), last: f("last", x.last),
		hit: f("hit", x.hit), way: f("way", x.way), table: f("table", x.table), index: f("index", x.index)}
}

// placeBits is the width of a packed place.
func placeBits(p arch.Params) int { return 4 + p.BlockBits() + tableBits(p) + wordBits + 64 }

// pack is {end, first, last, hit, block number, table, index, base}.
func (x place) pack() hw.Bits {
	return hw.Cat(x.end, x.first, x.last, x.hit, x.set, x.way, x.table, x.index, x.base)
}

// unpackPlace takes apart what pack made.
func unpackPlace(p arch.Params, word hw.Bits) place {
	at := 0
	take := func(width int) hw.Bits {
		at += width
		return word.Slice(at-1, at-width)
	}
	x := place{base: take(64), index: take(wordBits), table: take(tableBits(p)), way: take(p.WayBits()), set: take(p.BlockBits() - p.WayBits())}
	x.hit, x.last, x.first, x.end = take(1), take(1), take(1), take(1)
	return x
}
