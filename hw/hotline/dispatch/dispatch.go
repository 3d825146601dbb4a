package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
)

// Dispatch is the data dispatcher: it executes one command at a time.
type Dispatch struct{ arch.Params }

// Ports of the dispatcher, by the block at the other end.
type Ports struct {
	// isa: a command; Done pulses once for each, with its outcome.
	Command              hw.Stream[Command]
	Done, Value0, Value1 hw.Bits
	Status               hw.Enum[arch.Status]

	// dma and reduce. WritePending and ReduceIdle know of a write or an
	// operation from the cycle after it was taken on. LoadError, RowError and
	// WriteError are the codes of the first load, row and write that failed since
	// ClearErrors; Mute is 1 behind the latter. RowsAhead counts rows that no operation has been queued for.
	LoadReq, RowReq               hw.Stream[dma.Request]
	Op                            hw.Stream[reduce.Op]
	LoadValid, LoadDest, LoadData hw.Bits
	Loading, LoadError            hw.Bits
	WritePending, WriteError      hw.Bits
	ClearErrors, Mute             hw.Bits
	ReduceIdle, RowError, RowLog2 hw.Bits
	RowsAhead                     hw.Bits
	writePorts

	// Hold ends packets that have begun with what is there: a reset waits.
	Hold hw.Bits

	// lookup
	LookupStart, LookupLearn, LookupHalf, LookupWords, LookupSlots hw.Bits
	SlotWrite, SlotAddr, SlotBase                                  hw.Bits
	LookupEnable                                                   hw.Bits
	LookupRow, EDRAMData                                           hw.Vec
	ResultEnable, ResultRow                                        hw.Bits
	Result                                                         hw.Vec
	ScanRow, RowReady, LookupBusy                                  hw.Bits

	// eal
	HotEnable, HotBank, HotRow, HotData, EALReady hw.Bits
}

// ModuleName names the module.
func (Dispatch) ModuleName() string { return "dispatch" }

// Build describes the dispatcher.
func (p Dispatch) Build(m *hw.Module) Ports {
	m.Doc("Data dispatcher: address registers, input eDRAM, input classifier and memory controller.")
	a := p.Params
	u := units{
		regs:       hw.Inst(m, "registers", Registers{a}),
		edram:      hw.Inst(m, "input_words", EDRAM{a}),
		loader:     hw.Inst(m, "loader", Loader{a}),
		classifier: hw.Inst(m, "classifier", Classifier{a}),
		walker:     hw.Inst(m, "walker", Walker{a}),
		controller: hw.Inst(m, "controller", Controller{a}),
		hot:        hw.Inst(m, "hot_set", HotSet{a}),
		packer:     hw.Inst(m, "packer", Packer{a}),
		bitmap:     hw.Inst(m, "bitmap", BitmapWriter{a}),
		// Reads run ahead of the reducer by what these hold.
		ops:  hw.Inst(m, "ops", fifo.BlockFIFO[reduce.Op]{Of: hw.Of[reduce.Op](p), Depth: OpsDepth(a), Style: "block"}),
		rows: hw.Inst(m, "rows", fifo.FIFO[dma.Request]{Of: hw.Of[dma.Request](p), Depth: RowsDepth}),
	}
	m.Unused(u.classifier.Done, u.packer.Data.Data.Keep)
	io := p.ports(m)
	u.words(io)
	u.results(io)
	u.lines()
	u.rowReads(io)
	u.hotRows(io)
	u.writes(io)
	newControl(m, a, io, u).execute()
	return io
}

func (p Dispatch) ports(m *hw.Module) Ports {
	a, s := p.Params, hw.Ports[streamPorts](m)
	return Ports{
		Command:      s.Command,
		Done:         m.Out("done", 1),
		Status:       s.Status,
		Value0:       m.Out("value0", 32),
		Value1:       m.Out("value1", 32),
		LoadReq:      s.LoadReq,
		RowReq:       s.RowReq,
		Op:           s.Op,
		LoadValid:    m.In("load_valid", 1),
		LoadDest:     m.In("load_dest", edramDestBits(a)),
		LoadData:     m.In("load_data", p.StreamBits),
		Loading:      m.In("loading", 1),
		LoadError:    m.In("load_error", errorBits),
		WritePending: m.In("write_pending", 1),
		WriteError:   m.In("write_error", errorBits),
		ClearErrors:  m.Out("clear_errors", 1),
		Mute:         m.Out("mute", 1),
		ReduceIdle:   m.In("reduce_idle", 1),
		RowError:     m.In("row_error", errorBits),
		RowLog2:      m.Out("row_log2", rowLog2Bits),
		RowsAhead:    m.Out("rows_ahead", RowsAheadBits(a)),
		writePorts:   writePorts{s.Packet, s.Data},
		Hold:         m.In("hold", 1),
		LookupStart:  m.Out("lookup_start", 1),
		LookupLearn:  m.Out("lookup_learn", 1),
		LookupHalf:   m.Out("lookup_half", 1),
		LookupWords:  m.Out("lookup_words", wordsBits(a)),
		LookupSlots:  m.Out("lookup_slots", slotsBits(a)),
		SlotWrite:    m.Out("slot_write", 1),
		SlotAddr:     m.Out("slot_addr", slotBits(a)),
		SlotBase:     m.Out("slot_base", p.IDBits()),
		LookupEnable: m.In("lookup_enable", p.Engines),
		LookupRow:    m.InVec("lookup_row", p.Engines, edramRowBits(a)),
		EDRAMData:    m.OutVec("edram_data", p.Engines, wordBits),
		ResultEnable: m.Out("result_enable", 1),
		ResultRow:    m.Out("result_row", edramRowBits(a)),
		Result:       m.InVec("result", p.Engines, hw.Of[eal.Result](a).Bits()),
		ScanRow:      m.Out("scan_row", edramRowBits(a)),
		RowReady:     m.In("row_ready", 1),
		LookupBusy:   m.In("lookup_busy", 1),
		HotEnable:    m.Out("hot_enable", 1),
		HotBank:      m.Out("hot_bank", p.BankBits()),
		HotRow:       m.Out("hot_row", p.SetBits()),
		HotData:      m.In("hot_data", a.Ways*blockBits(a)),
		EALReady:     m.In("eal_ready", 1),
	}
}

// units are the dispatcher's instances. Their methods connect what does not
// depend on the command.
type units struct {
	regs       RegisterPorts
	edram      EDRAMPorts
	loader     LoaderPorts
	classifier ClassifierPorts
	walker     WalkerPorts
	controller ControllerPorts
	hot        HotSetPorts
	packer     PackerPorts
	bitmap     BitmapWriterPorts
	ops        fifo.Ports[reduce.Op]
	rows       fifo.Ports[dma.Request]
}

// words connects the eDRAM.
func (u units) words(io Ports) {
	io.LoadReq.Connect(u.loader.Req)
	u.edram.LoadValid.Set(io.LoadValid)
	u.edram.LoadDest.Set(io.LoadDest)
	u.edram.LoadData.Set(io.LoadData)
	u.edram.LookupEnable.Set(io.LookupEnable)
	u.edram.LookupRow.Set(io.LookupRow)
	u.edram.FetchEnable.Set(u.controller.FetchEnable)
	u.edram.FetchRow.Set(u.controller.FetchRow)
	io.EDRAMData.Set(u.edram.Data)
	u.controller.Data.Set(u.edram.Data)
}

// results connects the results of lookups: the classifier reads them during a
// sweep, the controller after it.
func (u units) results(io Ports) {
	scan := u.classifier.ScanEnable
	u.classifier.RowReady.Set(io.RowReady)
	io.ScanRow.Set(u.classifier.ScanRow)
	io.ResultEnable.Set(scan.Or(u.controller.FetchEnable))
	io.ResultRow.Set(hw.Mux(scan, u.classifier.ScanRow, u.controller.FetchRow))
	u.controller.Result.Set(io.Result)
	io.LookupSlots.Set(u.regs.Slots)
}

// lines connects the bitmap: it is sent at the end of a classify and walked in
// a gather.
func (u units) lines() {
	u.classifier.LineEnable.Set(u.walker.LineEnable.Or(u.bitmap.LineEnable))
	u.classifier.LineRow.Set(hw.Mux(u.bitmap.LineEnable, u.bitmap.LineRow, u.walker.LineRow))
	u.walker.Line.Set(u.classifier.Line)
	u.bitmap.Line.Set(u.classifier.Line)
	u.walker.Slots.Set(u.regs.Slots)
	u.bitmap.GPUs.Set(u.regs.GPUs)
	u.bitmap.Mailbox.Set(u.regs.Mailbox)
}

// rowReads connects the memory controller.
func (u units) rowReads(io Ports) {
	c, r := u.controller, u.regs
	c.Item.Connect(u.walker.Item)
	c.Tables.Set(r.Tables)
	c.RowLog2.Set(r.RowLog2)
	c.GPUs.Set(r.GPUs)
	c.Scale.Set(r.Scale)
	c.Hot.Set(r.Hot)
	c.Pooled.Set(r.Pooled)
	c.Grad.Set(r.Grad)
	r.TableEnable.Set(c.TableEnable)
	r.TableRead.Set(c.TableRead)
	c.TableBase.Set(r.TableBase)
	r.SlotEnable.Set(c.SlotEnable)
	r.SlotRead.Set(c.SlotRead)
	c.SlotBase.Set(r.SlotBase)
	c.SlotTable.Set(r.SlotTable)
	c.SlotFirst.Set(r.SlotFirst)
	c.SlotLast.Set(r.SlotLast)
	io.Op.Connect(u.ops.Pop)
	io.RowReq.Connect(u.rows.Pop)
	io.RowLog2.Set(r.RowLog2)
}

// hotRows connects the hot-set reader.
func (u units) hotRows(io Ports) {
	io.HotEnable.Set(u.hot.ScanEnable)
	io.HotBank.Set(u.hot.ScanBank)
	io.HotRow.Set(u.hot.ScanRow)
	u.hot.ScanData.Set(io.HotData)
	u.packer.Entry.Connect(u.hot.Entry)
}

// writes joins the two writers, of which only one is active at a time.
func (u units) writes(io Ports) {
	first, a, b := u.bitmap.Busy, u.bitmap.writePorts, u.packer.writePorts
	join(io.Packet, a.Packet, b.Packet, hw.Mux(first, a.Packet.Data, b.Packet.Data))
	beat := hw.Mux(first, a.Data.Data, b.Data.Data)
	join(io.Data, a.Data, b.Data, hw.With(beat, dma.DataBeat{Keep: a.Data.Data.Keep})) // both fill their beats
}

// join brings what a or b sends, of which only one is active.
func join[T any](to, a, b hw.Stream[T], data T) {
	to.Valid.Set(a.Valid.Or(b.Valid))
	hw.Set(to.Data, data)
	a.Ready.Set(to.Ready)
	b.Ready.Set(to.Ready)
}
