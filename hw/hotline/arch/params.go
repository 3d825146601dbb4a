package arch

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/hotline-rtl/hotline/hw/limits"
)

// Params holds the sizes of an accelerator. Small and Paper return the predefined configurations.
type Params struct {
	Engines      int `hcl:"engines" doc:"lookup engines; at least stream_bits / 32"`
	Banks        int `hcl:"banks" doc:"EAL banks"`
	Blocks       int `hcl:"blocks" doc:"EAL blocks in total: rows that can be hot; at least 2 x banks x ways"`
	Ways         int `hcl:"ways" unit:"blocks" doc:"size of an EAL set"`
	TagBits      int `hcl:"tag_bits" unit:"bits" doc:"tag of a block"`
	QueueDepth   int `hcl:"queue_depth" doc:"entries of each of the two request queues of a bank"`
	Window       int `hcl:"window" doc:"lookups in flight per engine"`
	Cache        int `hcl:"cache" doc:"recent answers kept per engine"`
	StreamBits   int `hcl:"stream_bits" unit:"bits" doc:"data width of the boundary"`
	ALUs         int `hcl:"alus" doc:"FP32 lanes of the reducer"`
	VectorValues int `hcl:"vector_values" doc:"FP32 values of the embedding vector buffer"`
	EDRAMWords   int `hcl:"edram_words" unit:"32 bits" doc:"input eDRAM, both halves"`
	Tags         int `hcl:"tags" doc:"DMA reads in flight"`
	Slots        int `hcl:"slots" doc:"most lookups per sample; at least engines / 4"`
	Tables       int `hcl:"tables" doc:"most embedding tables"`
	GPUs         int `hcl:"gpus" doc:"most GPUs"`
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

// Limits returns the ranges of the parameters. [Params.Validate] checks the described ranges.
func (Params) Limits() map[string]limits.Range {
	return map[string]limits.Range{
		"engines":       limits.PowerOfTwo(4, 256),
		"banks":         limits.PowerOfTwo(4, 256),
		"blocks":        limits.PowerOfTwo(256, 1<<24),
		"ways":          limits.PowerOfTwo(2, 16),
		"tag_bits":      limits.Described(fmt.Sprintf("%d to %d, less log2(blocks / ways)", leastIDBits, mostIDBits)),
		"queue_depth":   limits.PowerOfTwo(2, 256),
		"window":        limits.PowerOfTwo(8, 128),
		"cache":         limits.PowerOfTwo(4, 1024),
		"stream_bits":   limits.PowerOfTwo(128, 512),
		"alus":          limits.Described("stream_bits / 32"),
		"vector_values": limits.PowerOfTwo(32, 1024),
		"edram_words":   limits.Described(fmt.Sprintf("a multiple of 2 x engines, from %d or 4 x engines to %d", leastEDRAM, mostEDRAM)),
		"tags":          limits.PowerOfTwo(4, 256),
		"slots":         limits.PowerOfTwo(4, 256),
		"tables":        limits.PowerOfTwo(2, 256),
		"gpus":          limits.PowerOfTwo(1, MaxGPUs),
	}
}

// Limits of sizes that depend on others.
const (
	leastIDBits = 12
	mostIDBits  = 31
	leastEDRAM  = 256
	mostEDRAM   = 1 << 24
)

// Validate returns an error that lists all violated constraints, or nil. It checks most constraints
// between parameters only if each parameter is in its range.
func (p Params) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	for _, m := range limits.Check(p) {
		errs = append(errs, m)
	}
	if p.ALUs*32 != p.StreamBits {
		bad("alus is %d; expected %d, for a stream of %d bits", p.ALUs, p.StreamBits/32, p.StreamBits)
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	if p.Blocks < 2*p.Banks*p.Ways {
		bad("blocks is %d; %d banks of %d ways need at least %d", p.Blocks, p.Banks, p.Ways, 2*p.Banks*p.Ways)
	}
	if set := Log2(p.Sets()); p.TagBits < max(1, leastIDBits-set) || p.TagBits > mostIDBits-set {
		bad("tag_bits is %d; expected %d to %d: with the %d bits of a set it is a row id, of %d to %d bits",
			p.TagBits, max(1, leastIDBits-set), mostIDBits-set, set, leastIDBits, mostIDBits)
	}
	if p.Engines*32 < p.StreamBits {
		bad("engines is %d; a stream of %d bits needs at least %d", p.Engines, p.StreamBits, p.StreamBits/32)
	}
	if p.Slots < p.Geometry().LeastSlots() {
		bad("slots is %d; at least a quarter of the %d engines", p.Slots, p.Engines)
	}
	if least := max(4*p.Engines, leastEDRAM); p.EDRAMWords%(2*p.Engines) != 0 || p.EDRAMWords < least || p.EDRAMWords > mostEDRAM {
		bad("edram_words is %d; expected a multiple of twice the %d engines, from %d to %d", p.EDRAMWords, p.Engines, least, mostEDRAM)
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
