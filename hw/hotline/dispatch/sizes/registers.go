package sizes

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// SlotNumbers are those of the lookups of an input.
type SlotNumbers struct {
	Slots int // most lookups of an input
}

// SlotBits is the width of the number of a lookup slot.
func (p SlotNumbers) SlotBits() int { return hw.IndexWidth(p.Slots) }

// SlotCountBits is the width of L, at most Slots.
func (p SlotNumbers) SlotCountBits() int { return hw.CountWidth(p.Slots) }

// TableNumbers are those of the embedding tables.
type TableNumbers struct {
	Tables int // most tables
}

// TableBits is the width of the number of a table.
func (p TableNumbers) TableBits() int { return hw.IndexWidth(p.Tables) }

// TableCountBits is the width of T, at most Tables.
func (p TableNumbers) TableCountBits() int { return hw.CountWidth(p.Tables) }

// GPUNumbers are those of the GPUs.
type GPUNumbers struct {
	GPUs int // most GPUs
}

// GPUBits is the width of the number of a GPU.
func (p GPUNumbers) GPUBits() int { return hw.IndexWidth(p.GPUs) }

// GPUCountBits is the width of G, at most GPUs.
func (p GPUNumbers) GPUCountBits() int { return hw.CountWidth(p.GPUs) }

// LeastRowLog2 is log2 of the bytes of the shortest row of a table: a beat.
func LeastRowLog2(p arch.Stream) int { return arch.Log2(p.StreamBytes()) }

// MostRowLog2 is log2 of the bytes of the longest row of a table: a vector of so many
// FP32 values.
func MostRowLog2(values int) int { return arch.Log2(4 * values) }

// MostBeatsLog2 is log2 of the beats of that row.
func MostBeatsLog2(p arch.Stream, values int) int { return MostRowLog2(values) - LeastRowLog2(p) }

// BeatsLog2 is log2 of the beats of a row of 2^rowLog2 bytes, no more than those of the
// longest.
func BeatsLog2(rowLog2 hw.Bits, p arch.Stream, values int) hw.Bits {
	return rowLog2.Sub(hw.K(LeastRowLog2(p))).Resize(hw.IndexWidth(MostBeatsLog2(p, values) + 1))
}

// Bytes are those of so many beats, as a number of some width.
func Bytes(beats hw.Bits, p arch.Stream, width int) hw.Bits {
	return hw.Cat(beats, hw.Zeros(LeastRowLog2(p))).Ext(width)
}
