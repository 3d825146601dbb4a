package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/address"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/input"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/memory"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
)

// units holds the dispatcher's instances. Its methods make the connections that do not depend on
// the command.
type units struct {
	regs       address.Ports
	edram      input.EDRAMPorts
	loader     input.LoaderPorts
	classifier input.ClassifierPorts
	bitmap     input.BitmapWriterPorts
	walker     memory.WalkerPorts
	controller memory.Ports
	hot        memory.HotSetReaderPorts
	packer     memory.HotSetPackerPorts
	ops        fifo.Ports[reduce.Op]
	rows       fifo.Ports[dma.Request]
}

func (p Dispatch) units(m *hw.Module) units {
	return units{
		regs: hw.Inst(m, "address_registers", address.Registers{SlotNumbers: p.SlotNumbers, TableNumbers: p.TableNumbers, GPUNumbers: p.GPUNumbers, IDBits: p.IDBits(),
			LeastSlots: p.LeastSlots(), LeastRowLog2: sizes.LeastRowLog2(p.Stream), MostRowLog2: sizes.MostRowLog2(p.VectorValues)}),
		edram:      hw.Inst(m, "input_edram", input.EDRAM{Beats: p.Beats}),
		loader:     hw.Inst(m, "loader", input.Loader{Beats: p.Beats}),
		classifier: hw.Inst(m, "input_classifier", input.Classifier{Beats: p.Beats, SlotNumbers: p.SlotNumbers}),
		bitmap:     hw.Inst(m, "bitmap_writer", input.BitmapWriter{Beats: p.Beats, GPUNumbers: p.GPUNumbers}),
		walker:     hw.Inst(m, "walker", memory.Walker{Beats: p.Beats, SlotNumbers: p.SlotNumbers, VectorValues: p.VectorValues}),
		controller: hw.Inst(m, "memory_controller", memory.Controller{Beats: p.Beats, SlotNumbers: p.SlotNumbers, TableNumbers: p.TableNumbers, GPUNumbers: p.GPUNumbers, VectorValues: p.VectorValues, Blocks: p.Blocks, Ways: p.Ways, IDBits: p.IDBits()}),
		hot:        hw.Inst(m, "hot_set_reader", memory.HotSetReader{Banks: p.Banks, Sets: p.sets(), Ways: p.Ways, TagBits: p.TagBits}),
		packer:     hw.Inst(m, "hot_set_packer", memory.HotSetPacker{Stream: p.Stream}),
		// These queues bound how far reads run ahead of the reducer; see OpsDepth.
		ops:  hw.Inst(m, "ops", fifo.BlockFIFO[reduce.Op]{Of: hw.Of[reduce.Op](p), Depth: p.Ahead, Style: "block"}),
		rows: hw.Inst(m, "rows", fifo.FIFO[dma.Request]{Of: hw.Of[dma.Request](p), Depth: RowsDepth}),
	}
}

// words connects the eDRAM.
func (u units) words(io Ports) {
	io.LoadReq.Connect(u.loader.Req)
	hw.Set(u.edram.Load, io.Load)
	hw.Set(u.edram.Lookup, io.Lookup.EDRAM)
	hw.Set(u.edram.Fetch, u.controller.Fetch)
	io.Lookup.EDRAMData.Set(u.edram.Data)
	u.controller.Data.Set(u.edram.Data)
}

// results connects the lookup results: the classifier reads them during a sweep, the controller
// after it.
func (u units) results(io Ports) {
	scan, fetch := u.classifier.Scan, u.controller.Fetch
	u.classifier.RowReady.Set(io.Lookup.RowReady)
	io.Lookup.ScanRow.Set(scan.Row)
	io.Lookup.Read.Set(scan.Enable.Or(fetch.Enable))
	io.Lookup.ReadRow.Set(hw.Mux(scan.Enable, scan.Row, fetch.Row))
	hw.Set(u.controller.Result, io.Lookup.Result)
	u.classifier.Hit.Set(io.Lookup.Result.Vec(hit))
	io.Lookup.Slots.Set(u.regs.Slots)
}

func hit(r eal.Result) hw.Bits { return r.Hit }

// lines connects the bitmap, which a classify sends at its end and a gather walks.
func (u units) lines() {
	line, sent, walked := u.classifier.Line, u.bitmap.Line, u.walker.Line
	line.Enable.Set(walked.Enable.Or(sent.Enable))
	line.Number.Set(hw.Mux(sent.Enable, sent.Number, walked.Number))
	walked.Bits.Set(line.Bits)
	sent.Bits.Set(line.Bits)
	u.walker.Slots.Set(u.regs.Slots)
	u.walker.RowLog2.Set(u.regs.Rows.RowLog2)
	u.bitmap.GPUs.Set(u.regs.Rows.GPUs)
	u.bitmap.Mailboxes.Set(u.regs.Mailboxes)
}

// rowReads connects the memory controller.
func (u units) rowReads(io Ports) {
	c, r := u.controller, u.regs
	c.Item.Connect(u.walker.Item)
	hw.Set(c.Registers, r.Rows)
	hw.Connect(r.Table, c.Table)
	hw.Connect(r.Slot, c.Slot)
	io.Op.Connect(u.ops.Pop)
	io.RowReq.Connect(u.rows.Pop)
	io.RowLog2.Set(r.Rows.RowLog2)
}

// hotSet connects the hot-set reader.
func (u units) hotSet(io Ports) {
	hw.Connect(io.Scan, u.hot.Scan)
	u.packer.Entry.Connect(u.hot.Entry)
}

// writes merges the two writers, of which only one is active at a time.
func (u units) writes(io Ports) {
	first, a, b := u.bitmap.Busy, u.bitmap, u.packer
	join(io.Packet, a.Packet, b.Packet, hw.Mux(first, a.Packet.Data, b.Packet.Data))
	beat := hw.Mux(first, a.Data.Data, b.Data.Data)
	join(io.Data, a.Data, b.Data, hw.With(beat, dma.DataBeat{Keep: a.Data.Data.Keep})) // both write whole beats
}

// join forwards the items of a or b, of which only one is active.
func join[T any](to, a, b hw.Stream[T], data T) {
	to.Valid.Set(a.Valid.Or(b.Valid))
	hw.Set(to.Data, data)
	a.Ready.Set(to.Ready)
	b.Ready.Set(to.Ready)
}
