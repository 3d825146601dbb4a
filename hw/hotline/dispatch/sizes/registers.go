package sizes

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// SlotNumbers holds the sizes related to lookup slots.
type SlotNumbers struct {
	Slots int `doc:"most lookups per sample"`
}

// SlotBits returns the width of the number of a lookup slot.
func (p SlotNumbers) SlotBits() int { return hw.IndexWidth(p.Slots) }

// SlotCountBits returns the width of register L, at most Slots.
func (p SlotNumbers) SlotCountBits() int { return hw.CountWidth(p.Slots) }

// TableNumbers holds the sizes related to embedding tables.
type TableNumbers struct {
	Tables int `doc:"most embedding tables"`
}

// TableBits returns the width of a table number.
func (p TableNumbers) TableBits() int { return hw.IndexWidth(p.Tables) }

// TableCountBits returns the width of register T, at most Tables.
func (p TableNumbers) TableCountBits() int { return hw.CountWidth(p.Tables) }

// GPUNumbers holds the sizes related to GPUs.
type GPUNumbers struct {
	GPUs int `doc:"most GPUs"`
}

// GPUBits returns the width of a GPU number.
func (p GPUNumbers) GPUBits() int { return hw.IndexWidth(p.GPUs) }

// GPUCountBits returns the width of register G, at most GPUs.
func (p GPUNumbers) GPUCountBits() int { return hw.CountWidth(p.GPUs) }

// LeastRowLog2 returns log2 of the bytes of the shortest row of a table: one beat.
func LeastRowLog2(p arch.Stream) int { return arch.Log2(p.StreamBytes()) }

// MostRowLog2 returns log2 of the bytes of the longest row of a table: a vector of the given number
// of FP32 values.
func MostRowLog2(values int) int { return arch.Log2(4 * values) }

// MostBeatsLog2 returns log2 of the number of beats of the longest row.
func MostBeatsLog2(p arch.Stream, values int) int { return MostRowLog2(values) - LeastRowLog2(p) }

// BeatsLog2 returns log2 of the number of beats of a row of 2^rowLog2 bytes. The row must not be
// longer than MostRowLog2.
func BeatsLog2(rowLog2 hw.Bits, p arch.Stream, values int) hw.Bits {
	return rowLog2.Sub(hw.Named("least_row_log2", LeastRowLog2(p))).Resize(hw.IndexWidth(MostBeatsLog2(p, values) + 1))
}

// Bytes converts a number of beats to bytes, zero-extended to width bits.
func Bytes(beats hw.Bits, p arch.Stream, width int) hw.Bits {
	return hw.Cat(beats, hw.Zeros(LeastRowLog2(p))).Ext(width)
}
