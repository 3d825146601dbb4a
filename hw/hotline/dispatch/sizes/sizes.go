package sizes

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

const (
	WordBits   = 8 * arch.WordBytes                // of the eDRAM; bitmaps are put together and taken apart by as many
	EntryWords = arch.UpdateBytes / arch.WordBytes // of an entry of an update list: table, index
	MostEnds   = arch.MostEnds                     // inputs that end in one row of the eDRAM
)

// Halves are the sizes of the input eDRAM and of the mini-batches in it.
type Halves struct {
	Engines   int // lookup engines, and so banks: a power of two
	HalfWords int // words of a half, a multiple of Engines
}

// HalvesOf are those of an accelerator.
func HalvesOf(p arch.Params) Halves { return Halves{p.Engines, p.HalfWords()} }

// LaneBits is the width of an engine's number.
func (p Halves) LaneBits() int { return arch.Log2(p.Engines) }

// HalfRows is the number of rows of a half.
func (p Halves) HalfRows() int { return p.HalfWords / p.Engines }

// AddressBits is the width of the address of a row: half, row of the half.
func (p Halves) AddressBits() int { return hw.IndexWidth(2 * p.HalfRows()) }

// Address is that of a row of a half, of any width.
func (p Halves) Address(half, row hw.Bits) hw.Bits {
	return hw.Cat(half, row.Resize(p.AddressBits()-1))
}

// WordsBits is the width of a number of words.
func (p Halves) WordsBits() int { return hw.CountWidth(p.HalfWords) }

// PlaceBits is the width of the number of a word in its half.
func (p Halves) PlaceBits() int { return hw.IndexWidth(p.HalfWords) }

// LeastSlots is the least number of lookups of an input.
func (p Halves) LeastSlots() int { return p.Engines / MostEnds }

// MaxInputs is the greatest number of inputs of a mini-batch.
func (p Halves) MaxInputs() int { return p.HalfWords / p.LeastSlots() }

// InputsBits is the width of a number of inputs, or of entries of an update list.
func (p Halves) InputsBits() int { return hw.CountWidth(p.mostInputs()) }

// InputBits is the width of the number of an input, or of an entry.
func (p Halves) InputBits() int { return hw.IndexWidth(p.mostInputs()) }

func (p Halves) mostInputs() int { return max(p.MaxInputs(), p.HalfWords/EntryWords) }

// Beats are the sizes of halves that the stream fills, and of the bitmaps of their
// inputs, in lines as wide as a beat.
type Beats struct {
	Halves
	arch.Stream
}

// BeatsOf are those of an accelerator.
func BeatsOf(p arch.Params) Beats { return Beats{HalvesOf(p), p.Stream()} }

// Parts is the number of beats that fill a row of the eDRAM.
func (p Beats) Parts() int { return p.Engines * WordBits / p.StreamBits }

// DestBits is the width of where a beat goes: half, row of the half, part of the row.
func (p Beats) DestBits() int { return p.AddressBits() + arch.Log2(p.Parts()) }

// Lines is the number of lines of a half's bitmap.
func (p Beats) Lines() int { return (p.MaxInputs() + p.StreamBits - 1) / p.StreamBits }

// LineBits is the width of a line's number among those of both halves.
func (p Beats) LineBits() int { return hw.IndexWidth(2 * p.Lines()) }

// FirstLine is the number of the first line of a half.
func (p Beats) FirstLine(half hw.Bits) hw.Bits {
	return hw.Mux(half, hw.Lit(p.LineBits(), uint64(p.Lines())), hw.K(0))
}
