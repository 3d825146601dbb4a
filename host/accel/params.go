package accel

import (
	"errors"
	"fmt"
	"math/bits"
)

// Params are the sizes of an accelerator, as far as they show from outside;
// docs/accelerator.md explains them.
type Params struct {
	Engines      int // lookup engines
	Banks        int // EAL banks
	Blocks       int // EAL blocks in all
	Ways         int // blocks of a set
	TagBits      int // bits of a block's tag
	StreamBytes  int // data width of the boundary
	VectorValues int // FP32 values of the embedding vector buffer
	EDRAMWords   int // 32-bit words of the input eDRAM, two halves
	Tags         int // reads in flight
	Slots        int // most lookups per input
	Tables       int // most embedding tables
	GPUs         int // most GPUs
}

// Small is the configuration that simulates in seconds.
func Small() Params {
	return Params{Engines: 8, Banks: 8, Blocks: 4096, Ways: 8, TagBits: 13, StreamBytes: 16,
		VectorValues: 128, EDRAMWords: 32768, Tags: 32, Slots: 64, Tables: 32, GPUs: 4}
}

// Paper is the scale of the Hotline paper (Section V, Table IV).
func Paper() Params {
	return Params{Engines: 64, Banks: 64, Blocks: 2 << 20, Ways: 8, TagBits: 13, StreamBytes: 64,
		VectorValues: 128, EDRAMWords: 851968, Tags: 256, Slots: 256, Tables: 64, GPUs: 4}
}

// Validate returns nil, or all that is wrong with the sizes, joined.
func (p Params) Validate() error {
	var errs []error
	power := func(name string, v, lo, hi int) {
		if v < lo || v > hi || v&(v-1) != 0 {
			errs = append(errs, fmt.Errorf("accelerator: %s is %d, expected a power of two from %d to %d", name, v, lo, hi))
		}
	}
	power("engines", p.Engines, 4, 256)
	power("banks", p.Banks, 4, 256)
	power("ways", p.Ways, 2, 16)
	power("blocks", p.Blocks, 256, 1<<24)
	power("stream bytes", p.StreamBytes, 16, 64)
	power("vector values", p.VectorValues, 32, 1024)
	power("tags", p.Tags, 4, 256)
	power("slots", p.Slots, 4, 256)
	power("tables", p.Tables, 2, 256)
	power("GPUs", p.GPUs, 1, 4)
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	if p.Blocks < 2*p.Banks*p.Ways {
		errs = append(errs, fmt.Errorf("accelerator: blocks is %d, expected at least %d for %d banks of %d ways", p.Blocks, 2*p.Banks*p.Ways, p.Banks, p.Ways))
	} else if w := p.IDBits(); p.TagBits < 1 || w < 12 || w > 31 {
		errs = append(errs, fmt.Errorf("accelerator: tag bits is %d and a row id has %d bits, expected 12 to 31", p.TagBits, w))
	}
	if p.EDRAMWords < 4*p.Engines || p.EDRAMWords%(2*p.Engines) != 0 || p.EDRAMWords > 1<<24 {
		errs = append(errs, fmt.Errorf("accelerator: eDRAM words is %d, expected a multiple of %d up to %d", p.EDRAMWords, 2*p.Engines, 1<<24))
	}
	return errors.Join(errs...)
}

// IDBits is the width of a row id.
func (p Params) IDBits() int { return log2(p.Blocks/p.Ways) + p.TagBits }

// HalfWords is the number of words of an eDRAM half.
func (p Params) HalfWords() int { return p.EDRAMWords / 2 }

// maxInputs is the greatest number of inputs of a mini-batch: an input has at
// least leastSlots lookups.
func (p Params) maxInputs() int { return p.HalfWords() / p.leastSlots() }

// bitmapBytes is the size of the bitmap of n inputs: whole beats.
func (p Params) bitmapBytes(n int) int {
	return (n + 8*p.StreamBytes - 1) / (8 * p.StreamBytes) * p.StreamBytes
}

func (p Params) leastSlots() int { return max(1, p.Engines/4) }

func log2(n int) int { return bits.Len(uint(n)) - 1 }
