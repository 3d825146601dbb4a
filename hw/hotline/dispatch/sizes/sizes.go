package sizes

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

const (
	WordBits   = 8 * arch.WordBytes                // width of an eDRAM word, and of the words into which bitmaps are packed
	EntryWords = arch.UpdateBytes / arch.WordBytes // words of an entry of an update list: table, index
	MostEnds   = arch.MostEnds                     // maximum number of inputs that end in one row of the eDRAM
)

// Halves holds the sizes of the input eDRAM and of the mini-batches in it.
type Halves struct {
	Engines   int `doc:"lookup engines"`                     // also banks of the eDRAM: a power of two
	HalfWords int `doc:"words of a half of the input eDRAM"` // a multiple of Engines
}

// HalvesOf returns the sizes of an accelerator.
func HalvesOf(p arch.Params) Halves { return Halves{p.Engines, p.HalfWords()} }

// LaneBits returns the width of an engine's number.
func (p Halves) LaneBits() int { return arch.Log2(p.Engines) }

// HalfRows returns the number of rows of a half.
func (p Halves) HalfRows() int { return p.HalfWords / p.Engines }

// AddressBits returns the width of the address of a row: half, row of the half.
func (p Halves) AddressBits() int { return hw.IndexWidth(2 * p.HalfRows()) }

// Address returns the address of a row of a half. row may have any width.
func (p Halves) Address(half, row hw.Bits) hw.Bits {
	return hw.Cat(half, row.Resize(p.AddressBits()-1))
}

// WordsBits returns the width of a number of words.
func (p Halves) WordsBits() int { return hw.CountWidth(p.HalfWords) }

// PlaceBits returns the width of the number of a word in its half.
func (p Halves) PlaceBits() int { return hw.IndexWidth(p.HalfWords) }

// LeastSlots returns the minimum number of lookups per input.
func (p Halves) LeastSlots() int { return p.Engines / MostEnds }

// MaxInputs returns the maximum number of inputs of a mini-batch.
func (p Halves) MaxInputs() int { return p.HalfWords / p.LeastSlots() }

// InputsBits returns the width of a number of inputs, or of entries of an update list.
func (p Halves) InputsBits() int { return hw.CountWidth(p.mostInputs()) }

// InputBits returns the width of the number of an input, or of an entry of an update list.
func (p Halves) InputBits() int { return hw.IndexWidth(p.mostInputs()) }

func (p Halves) mostInputs() int { return max(p.MaxInputs(), p.HalfWords/EntryWords) }

// Beats adds the stream to Halves: the sizes of beats that fill the halves, and of bitmaps, whose
// lines are as wide as a beat.
type Beats struct {
	Halves
	arch.Stream
}

// BeatsOf returns the sizes of an accelerator.
func BeatsOf(p arch.Params) Beats { return Beats{HalvesOf(p), p.Stream()} }

// Parts returns the number of beats that fill a row of the eDRAM.
func (p Beats) Parts() int { return p.Engines * WordBits / p.StreamBits }

// DestBits returns the width of the destination of a beat: half, row of the half, part of the row.
func (p Beats) DestBits() int { return p.AddressBits() + arch.Log2(p.Parts()) }

// Lines returns the number of lines of a half's bitmap.
func (p Beats) Lines() int { return (p.MaxInputs() + p.StreamBits - 1) / p.StreamBits }

// LineBits returns the width of a line number. The lines of both halves are numbered together.
func (p Beats) LineBits() int { return hw.IndexWidth(2 * p.Lines()) }

// FirstLine returns the number of the first line of a half.
func (p Beats) FirstLine(half hw.Bits) hw.Bits {
	return hw.Mux(half, hw.Named("lines", p.Lines()), hw.Zeros(p.LineBits()))
}
