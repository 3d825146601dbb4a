package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// inputsBits is the width of a number of inputs of a mini-batch.
func inputsBits(p arch.Params) int { return hw.CountWidth(MaxInputs(p)) }

// MaxInputs is the greatest number of inputs of a mini-batch: an input has at
// least a quarter of an engine row of lookups.
func MaxInputs(p arch.Params) int { return p.HalfWords() / (p.Engines / 4) }

const (
	rowLog2Bits = 4  // log2 of the bytes of a row
	destBits    = 24 // of the place of a beat on dma.Read's load port
)

// indexBits is the width of an s_wr register number.
const indexBits = 10

func slotsBits(p arch.Params) int  { return hw.CountWidth(p.Slots) }
func tablesBits(p arch.Params) int { return hw.CountWidth(p.Tables) }
func tableBits(p arch.Params) int  { return hw.IndexWidth(p.Tables) }
func slotBits(p arch.Params) int   { return hw.IndexWidth(p.Slots) }
func gpuBits(p arch.Params) int    { return hw.IndexWidth(p.GPUs) }
func gpusBits(p arch.Params) int   { return hw.CountWidth(p.GPUs) }
