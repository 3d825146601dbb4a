package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/input"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// Dispatch is the data dispatcher: it executes one command at a time. All sizes but HalfWords and
// TagBits are powers of two.
type Dispatch struct {
	sizes.Beats
	sizes.SlotNumbers
	sizes.TableNumbers
	sizes.GPUNumbers
	VectorValues int `doc:"FP32 values of the embedding vector buffer"`
	Ahead        int `doc:"most rows that are read ahead of their operations"`
	Banks        int `doc:"EAL banks"`
	Blocks       int `doc:"EAL blocks in total: rows that can be hot"`
	Ways         int `doc:"size of an EAL set" unit:"blocks"`
	TagBits      int `doc:"tag of a block" unit:"bits"`
}

// Of returns the dispatcher of an accelerator.
func Of(p arch.Params) Dispatch {
	return Dispatch{sizes.BeatsOf(p), sizes.SlotNumbers{Slots: p.Slots}, sizes.TableNumbers{Tables: p.Tables}, sizes.GPUNumbers{GPUs: p.GPUs},
		p.VectorValues, p.Tags, p.Banks, p.Blocks, p.Ways, p.TagBits}
}

// Ports of the dispatcher, grouped by the block at the other end.
//
// WritePending and ReduceIdle must reflect a write or an operation from the cycle after it was
// accepted.
type Ports struct {
	// isa
	Command hw.Stream[Command]   `hw:"in" doc:"from isa"`
	Done    hw.Bits              `hw:"out" doc:"pulse: the command has ended, with the next three"`
	Status  hw.Enum[arch.Status] `hw:"out" doc:"of the command"`
	Value0  hw.Bits              `hw:"out,32" doc:"first result"`
	Value1  hw.Bits              `hw:"out,32" doc:"second result"`

	// dma, reads
	LoadReq   hw.Stream[dma.Request] `hw:"out" doc:"reads of words and lists"`
	RowReq    hw.Stream[dma.Request] `hw:"out" doc:"reads of rows"`
	Load      dma.Event[input.Beat]  `hw:"in" doc:"beats of words and lists"`
	Loading   hw.Bits                `hw:"in" doc:"a load is in flight"`
	LoadError hw.Enum[arch.DMAError] `hw:"in" doc:"of the first load that failed since clear_errors"`
	RowsAhead hw.Bits                `hw:"out,RowsAheadBits" doc:"rows without a queued operation"`

	// reduce
	Op         hw.Stream[reduce.Op]   `hw:"out" doc:"to reduce"`
	ReduceIdle hw.Bits                `hw:"in" doc:"reduce has no work"`
	RowError   hw.Enum[arch.DMAError] `hw:"in" doc:"of the first row that failed since clear_errors"`
	RowLog2    hw.Bits                `hw:"out,4" doc:"log2 of the bytes of a row"`
	Mute       hw.Bits                `hw:"out" doc:"a write has failed: operations write no more"`

	// dma, writes
	Packet       hw.Stream[dma.Packet]   `hw:"out" doc:"bitmaps and hot sets"`
	Data         hw.Stream[dma.DataBeat] `hw:"out" doc:"bitmaps and hot sets"`
	WritePending hw.Bits                 `hw:"in" doc:"a write has no status yet"`
	WriteError   hw.Enum[arch.DMAError]  `hw:"in" doc:"of the first write that failed since clear_errors"`
	ClearErrors  hw.Bits                 `hw:"out" doc:"pulse: clears the errors of all blocks"`
	Hold         hw.Bits                 `hw:"in" doc:"before a reset: packets that have begun end"`

	Lookup   lookup.Control `hw:"out" doc:"runs of the lookup engines, and their results"`
	Stretch  hw.Bits        `hw:"out" doc:"number of the learning epoch, modulo 2"`
	Scan     eal.Scan       `hw:"out" doc:"read-out of the EAL"`
	EALReady hw.Bits        `hw:"in" doc:"the EAL is cleared"`
}

// IDBits returns the width of a row id.
func (p Dispatch) IDBits() int { return arch.Log2(p.sets()) + p.TagBits }

// BlockBits returns the width of the number of an EAL block.
func (p Dispatch) BlockBits() int { return arch.Log2(p.Blocks) }

// BankBits returns the width of the number of an EAL bank.
func (p Dispatch) BankBits() int { return arch.Log2(p.Banks) }

// SetBits returns the width of a set number within its bank.
func (p Dispatch) SetBits() int { return arch.Log2(p.sets() / p.Banks) }

// WayBits returns the width of a way number.
func (p Dispatch) WayBits() int { return arch.Log2(p.Ways) }

// RowsAheadBits returns the width of the number of rows ahead.
func (p Dispatch) RowsAheadBits() int { return hw.CountWidth(p.Ahead) }

func (p Dispatch) sets() int { return p.Blocks / p.Ways }

// Build describes the dispatcher.
func (p Dispatch) Build(m *hw.Module) Ports {
	m.Doc("Data dispatcher: address registers, input eDRAM, input classifier and memory controller.")
	io := hw.Ports[Ports](m)
	u := p.units(m)
	m.Unused(u.packer.Data.Data.Keep) // always whole beats
	u.words(io)
	u.results(io)
	u.lines()
	u.rowReads(io)
	u.hotSet(io)
	u.writes(io)
	newControl(m, p, io, u).execute()
	return io
}
