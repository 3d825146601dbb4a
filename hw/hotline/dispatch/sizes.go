package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

const (
	wordBits    = 32 // of the eDRAM; bitmaps are put together and taken apart by as many
	entryWords  = 8 * arch.UpdateBytes / wordBits
	rowLog2Bits = 4  // log2 of the bytes of a row
	indexBits   = 10 // of an s_wr register number
	errorBits   = 4  // of an arch.DMAError
	destBits    = 24 // of the place of a beat on dma.Read's load port
)

// RowsDepth is how many reads of rows wait for the read engine.
const RowsDepth = 4

// OpsDepth is how many operations wait for the reducer, beside the one that it is
// offered: reads run ahead of it by these.
func OpsDepth(p arch.Params) int { return 2 * p.Tags }

// LeastSlots is the least number of lookups of an input: at most mostEnds
// inputs end in a row of the eDRAM.
func LeastSlots(p arch.Params) int { return p.Geometry().LeastSlots() }

// MaxInputs is the greatest number of inputs of a mini-batch.
func MaxInputs(p arch.Params) int { return p.HalfWords() / LeastSlots(p) }

// inputsBits is the width of a number of inputs of a mini-batch, or of entries
// of an update list.
func inputsBits(p arch.Params) int {
	return hw.CountWidth(max(MaxInputs(p), p.HalfWords()/entryWords))
}

// wordsBits is the width of a number of words of a half.
func wordsBits(p arch.Params) int { return hw.CountWidth(p.HalfWords()) }

// RowsAheadBits is the width of the number of rows ahead: at most Tags.
func RowsAheadBits(p arch.Params) int { return hw.CountWidth(p.Tags) }

func slotsBits(p arch.Params) int  { return hw.CountWidth(p.Slots) }
func slotBits(p arch.Params) int   { return hw.IndexWidth(p.Slots) }
func tablesBits(p arch.Params) int { return hw.CountWidth(p.Tables) }
func tableBits(p arch.Params) int  { return hw.IndexWidth(p.Tables) }
func gpusBits(p arch.Params) int   { return hw.CountWidth(p.GPUs) }
func gpuBits(p arch.Params) int    { return hw.IndexWidth(p.GPUs) }

// edramRowBits is the width of {half, row of the half}.
func edramRowBits(p arch.Params) int { return hw.IndexWidth(p.BankWords()) }

// edramRow is {half, row of the half}.
func edramRow(p arch.Params, half, row hw.Bits) hw.Bits {
	return hw.Cat(half, row.Resize(edramRowBits(p)-1))
}

// edramDestBits is the width of {half, row of the half, part of the row}.
func edramDestBits(p arch.Params) int { return edramRowBits(p) + arch.Log2(parts(p)) }

// parts is the number of beats that fill a row of the eDRAM.
func parts(p arch.Params) int { return p.Engines * wordBits / p.StreamBits }

// bitmapLines is the number of beats that the bitmap of a half takes.
func bitmapLines(p arch.Params) int { return (MaxInputs(p) + p.StreamBits - 1) / p.StreamBits }

// lineBits is the width of a line's place in the bitmaps of both halves.
func lineBits(p arch.Params) int { return hw.IndexWidth(2 * bitmapLines(p)) }

// firstLine is where the bitmap of a half begins.
func firstLine(p arch.Params, half hw.Bits) hw.Bits {
	return hw.Mux(half, hw.Lit(lineBits(p), uint64(bitmapLines(p))), hw.K(0))
}

// A row is at least a beat and at most the vector buffer.
func minRowLog2(p arch.Params) int {
	least, _ := p.Geometry().RowBytes()
	return arch.Log2(least)
}

func maxRowLog2(p arch.Params) int {
	_, most := p.Geometry().RowBytes()
	return arch.Log2(most)
}

// next is x+1 modulo n.
func next(x, n hw.Bits) hw.Bits {
	return hw.Mux(x.Ext(n.Width()).Inc().Eq(n), hw.K(0), x.Inc())
}
