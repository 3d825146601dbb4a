package pictures

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/ui/picture"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
)

// learned is the row of the program whose path is drawn: the first word that the first engine
// classifies.
const learned = 1

// rowID draws the path of a row id to its place in the hot table. The way is taken from the run.
func rowID(r run, p arch.Params) (string, error) {
	hit := window{when: map[string]uint64{engine + "window_commit_valid": 1, engine + "window_commit_hit": 1, engine + "learn": 0}}
	cycle, ok := hit.find(r, 0)
	if !ok {
		return "", errors.New("the first lookup of the run is not a hit")
	}
	way := r[engine+"window_commit_way"].Values[cycle][0]
	id := randomizer.Permute(p.IDBits(), learned)
	bank, set, tag := id&uint32(p.Banks-1), id>>p.BankBits()&uint32(p.BankSets()-1), id>>(p.BankBits()+p.SetBits())
	block := (uint64(set)<<p.BankBits()|uint64(bank))<<p.WayBits() | way

	hex := func(v uint64) string { return fmt.Sprintf("%x", v) }
	fields := func(from int, list ...picture.BitField) []picture.BitField {
		for i := range list {
			list[i].Column = from
			from += list[i].Bits
		}
		return list
	}
	sets := picture.BitField{Name: "set", Value: hex(uint64(set)), Bits: p.SetBits(), Colour: 2}
	banks := picture.BitField{Name: "bank", Value: hex(uint64(bank)), Bits: p.BankBits(), Colour: 3}
	b := picture.Bits{
		Title:   "The path of a row id, small accelerator",
		Text:    "The randomizer permutes the row id into tag, set and bank. Set, bank and way are the block number.",
		Columns: p.IDBits() + p.WayBits(),
		Rows: []picture.BitRow{
			{Name: "row id", Step: "randomizer: a permutation", Fields: fields(0,
				picture.BitField{Name: "row", Value: hex(learned), Bits: p.IDBits(), Colour: 0})},
			{Name: "permuted row id " + hex(uint64(id)), Step: "EAL: the way whose tag is equal", Fields: fields(0,
				picture.BitField{Name: "tag", Value: hex(uint64(tag)), Bits: p.TagBits, Colour: 1}, sets, banks)},
			{Name: "block number " + hex(block), Fields: fields(p.TagBits, sets, banks,
				picture.BitField{Name: "way", Value: hex(way), Bits: p.WayBits(), Colour: 4})},
		},
		Notes: []string{fmt.Sprintf("A bank has %d sets of %d ways. Each way stores a tag, so the EAL needs no addresses.", p.BankSets(), p.Ways),
			"The block number is the place of a hot row in every GPU's hot table: base + block number · row bytes."},
	}
	return picture.File(b.SVG()), nil
}
