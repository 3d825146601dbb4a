package arch

import (
	"errors"
	"fmt"
	"math/bits"
)

// Params holds the sizes of an accelerator. Small and Paper return the predefined configurations.
type Params struct {
	Engines      int `hcl:"engines"`       // lookup engines, a power of two
	Banks        int `hcl:"banks"`         // EAL banks, a power of two
	Blocks       int `hcl:"blocks"`        // EAL blocks in total, a power of two
	Ways         int `hcl:"ways"`          // blocks per set, a power of two
	TagBits      int `hcl:"tag_bits"`      // width of a block's tag
	QueueDepth   int `hcl:"queue_depth"`   // entries of each of the two request queues of a bank
	Window       int `hcl:"window"`        // lookups in flight per engine, a power of two
	Cache        int `hcl:"cache"`         // recent results kept per engine, a power of two
	StreamBits   int `hcl:"stream_bits"`   // data width of the boundary
	ALUs         int `hcl:"alus"`          // FP32 lanes of the reducer: StreamBits/32
	VectorValues int `hcl:"vector_values"` // FP32 values of the embedding vector buffer
	EDRAMWords   int `hcl:"edram_words"`   // 32-bit words of the input eDRAM, both halves
	Tags         int `hcl:"tags"`          // DMA reads in flight, a power of two
	Slots        int `hcl:"slots"`         // maximum number of lookups per input, a power of two
	Tables       int `hcl:"tables"`        // maximum number of embedding tables, a power of two
	GPUs         int `hcl:"gpus"`          // maximum number of GPUs, a power of two
}

// MaxGPUs is the maximum number of GPUs of any accelerator: the number of registers reserved for
// each kind of base address.
const MaxGPUs = RegPooled - RegHot

// Small returns a configuration that every engine simulates in seconds.
func Small() Params {
	return Params{Engines: 8, Banks: 8, Blocks: 4096, Ways: 8, TagBits: 13, QueueDepth: 8, Window: 32, Cache: 32,
		StreamBits: 128, ALUs: 4, VectorValues: 128, EDRAMWords: 32768, Tags: 128, Slots: 64, Tables: 32, GPUs: 8}
}

// Paper returns the configuration of the Hotline paper (Section V, Table IV): 64 engines, 64 banks,
// 2M blocks of 16 bits, eDRAM for 16K inputs of 26 lookups, 16 ALUs.
func Paper() Params {
	return Params{Engines: 64, Banks: 64, Blocks: 2 << 20, Ways: 8, TagBits: 13, QueueDepth: 64, Window: 128, Cache: 128,
		StreamBits: 512, ALUs: 16, VectorValues: 128, EDRAMWords: 851968, Tags: 256, Slots: 256, Tables: 64, GPUs: 8}
}

// Validate returns an error that lists all violated constraints, or nil. It checks most constraints
// between parameters only if each parameter is in its range.
func (p Params) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	power := func(name string, v, lo, hi int) {
		if v < lo || v > hi || v&(v-1) != 0 {
			bad("%s is %d; it must be a power of two from %d to %d", name, v, lo, hi)
		}
	}
	power("engines", p.Engines, 4, 256)
	power("banks", p.Banks, 4, 256)
	power("ways", p.Ways, 2, 16)
	power("blocks", p.Blocks, 256, 1<<24)
	power("window", p.Window, 8, 128)
	power("cache", p.Cache, 4, 1024)
	power("stream_bits", p.StreamBits, 128, 512)
	power("vector_values", p.VectorValues, 32, 1024)
	power("tags", p.Tags, 4, 256)
	power("slots", p.Slots, 4, 256)
	power("tables", p.Tables, 2, 256)
	power("gpus", p.GPUs, 1, MaxGPUs)
	power("queue_depth", p.QueueDepth, 2, 256)
	if p.ALUs*32 != p.StreamBits {
		bad("alus is %d; a stream of %d bits feeds %d", p.ALUs, p.StreamBits, p.StreamBits/32)
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	if p.Blocks < 2*p.Banks*p.Ways {
		bad("blocks is %d; %d banks of %d ways need at least %d", p.Blocks, p.Banks, p.Ways, 2*p.Banks*p.Ways)
	}
	if set := Log2(p.Sets()); p.TagBits < max(1, 12-set) || p.TagBits > 31-set {
		bad("tag_bits is %d; expected %d to %d: with the %d bits of a set it is a row id, of 12 to 31 bits", p.TagBits, max(1, 12-set), 31-set, set)
	}
	if p.Engines*32 < p.StreamBits {
		bad("engines is %d; a stream of %d bits needs at least %d", p.Engines, p.StreamBits, p.StreamBits/32)
	}
	if p.Slots < p.Geometry().LeastSlots() {
		bad("slots is %d; at least a quarter of the %d engines", p.Slots, p.Engines)
	}
	if least := max(4*p.Engines, 256); p.EDRAMWords%(2*p.Engines) != 0 || p.EDRAMWords < least || p.EDRAMWords > 1<<24 {
		bad("edram_words is %d; it must be a multiple of twice the %d engines, from %d to %d", p.EDRAMWords, p.Engines, least, 1<<24)
	}
	return errors.Join(errs...)
}

// Log2 returns the base-2 logarithm of a power of two.
func Log2(n int) int { return bits.Len(uint(n)) - 1 }

// Sets returns the number of EAL sets in all banks.
func (p Params) Sets() int { return p.Blocks / p.Ways }

// BankSets returns the number of sets per bank.
func (p Params) BankSets() int { return p.Sets() / p.Banks }

// IDBits returns the width of a row id.
func (p Params) IDBits() int { return Log2(p.Sets()) + p.TagBits }

// BankBits returns the width of a bank number.
func (p Params) BankBits() int { return Log2(p.Banks) }

// SetBits returns the width of a set number within its bank.
func (p Params) SetBits() int { return Log2(p.BankSets()) }

// WayBits returns the width of a way number.
func (p Params) WayBits() int { return Log2(p.Ways) }

// BlockBits returns the width of a block number.
func (p Params) BlockBits() int { return Log2(p.Blocks) }

// TicketBits returns the width of a ticket: the position of a lookup in the window of its engine.
func (p Params) TicketBits() int { return Log2(p.Window) }

// HalfWords returns the number of words of an eDRAM half.
func (p Params) HalfWords() int { return p.EDRAMWords / 2 }

// BankWords returns the number of words of one engine's eDRAM bank, both halves.
func (p Params) BankWords() int { return p.EDRAMWords / p.Engines }

// StreamBytes returns the width of the boundary in bytes.
func (p Params) StreamBytes() int { return p.StreamBits / 8 }

// Stream returns the data width of the boundary.
func (p Params) Stream() Stream { return Stream{p.StreamBits} }

// Link returns the parameters of the boundary.
func (p Params) Link() Link { return Link{p.Stream(), p.Tags} }

// ReadTagBits returns the width of the tag of any read; see Link.
func (p Params) ReadTagBits() int { return p.Link().ReadTagBits() }

// WriteTagBits returns the width of the tag of a write; see Link.
func (p Params) WriteTagBits() int { return p.Link().WriteTagBits() }
