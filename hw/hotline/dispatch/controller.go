package dispatch

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/feistel"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// Controller is the memory controller: it fetches each item of a Walker from
// the eDRAM, computes where its row lies, and emits the read and the reducer
// operations.
type Controller struct{ arch.Params }

// ControllerPorts: Start begins a gather, or an update if Update is 1.
// Registers are as Registers gives them. Result is {hit, way} of each
// engine's lookup in the row that was read.
type ControllerPorts struct {
	Start, Update, FirstRow                  hw.Bits
	Tables, RowLog2, GPUs, Scale             hw.Bits
	Hot, Pooled, Grad                        hw.Vec
	Item                                     hw.Stream
	FetchEnable, FetchRow                    hw.Bits
	Data, Result                             hw.Vec
	TableEnable, TableRead, TableBase        hw.Bits
	SlotEnable, SlotRead                     hw.Bits
	SlotBase, SlotTable, SlotFirst, SlotLast hw.Bits
	Req, Op                                  hw.Stream
	Idle, HotRow, ColdRow                    hw.Bits
}

// ModuleName names the module.
func (Controller) ModuleName() string { return "memory_controller" }

// lookup is an item on its way through the pipeline.
type lookup struct {
	valid, end, first, last hw.Bits
	index, table, hit, way  hw.Bits
}

// Build describes the controller.
func (p Controller) Build(m *hw.Module) ControllerPorts {
	m.Doc("Memory controller: turns lookups into row reads, reducer operations and vector addresses.")
	io := p.ports(m)
	mode := m.Reg("updating", 1, 0)
	m.When(io.Start, func() { mode.Set(io.Update) })

	move := m.Wire("move", 1) // the pipeline advances
	io.Item.Ready.Set(move)
	fetched := p.fetch(m, io, move)
	selected, id := p.choose(m, io, mode, fetched, move)
	delayed, permuted := p.permute(m, io, selected, id, move)
	p.emit(m, io, mode, p.locate(m, io, delayed, permuted, move), move)
	return io
}

func (p Controller) ports(m *hw.Module) ControllerPorts {
	a := p.Params
	return ControllerPorts{
		Start: m.In("start", 1), Update: m.In("update", 1), FirstRow: m.In("first_row", edramRowBits(a)),
		Tables: m.In("tables", tablesBits(a)), RowLog2: m.In("row_log2", rowLog2Bits), GPUs: m.In("gpus", gpusBits(a)), Scale: m.In("scale", 32),
		Hot: m.InVec("hot", p.GPUs, 64), Pooled: m.InVec("pooled", p.GPUs, 64), Grad: m.InVec("grad", p.GPUs, 64),
		Item:        m.Sink("item", itemBits(a)),
		FetchEnable: m.Out("fetch_enable", 1), FetchRow: m.Out("fetch_row", edramRowBits(a)),
		Data: m.InVec("data", p.Engines, 32), Result: m.InVec("result", p.Engines, 1+p.WayBits()),
		TableEnable: m.Out("table_enable", 1), TableRead: m.Out("table_read", tableBits(a)), TableBase: m.In("table_base", 64),
		SlotEnable: m.Out("slot_enable", 1), SlotRead: m.Out("slot_read", slotBits(a)),
		SlotBase: m.In("slot_base", p.IDBits()), SlotTable: m.In("slot_table", tableBits(a)),
		SlotFirst: m.In("slot_first", 1), SlotLast: m.In("slot_last", 1),
		Req: m.Source("req", dma.RequestBits), Op: m.Source("op", reduce.OpBits),
		Idle: m.Out("idle", 1), HotRow: m.Out("hot_row", 1), ColdRow: m.Out("cold_row", 1),
	}
}

// fetch starts the memory reads of an item; its data is there a stage later.
func (p Controller) fetch(m *hw.Module, io ControllerPorts, move hw.Bits) (item hw.Bits) {
	lanes := arch.Log2(p.Engines)
	wb := wordsBits(p.Params)
	number := io.Item.Data.Trunc(wb).As("number")
	take := io.Item.Valid.And(move).As("take")
	io.FetchEnable.Set(take)
	io.FetchRow.Set(number.Slice(wb-1, lanes).Resize(edramRowBits(p.Params)).Add(io.FirstRow))
	io.SlotEnable.Set(take)
	io.SlotRead.Set(io.Item.Data.Slice(wb+slotBits(p.Params)-1, wb))
	valid := m.Reg("fetched", 1, 0)
	rest := m.Data("fetched_item", 1+lanes)
	m.When(move, func() {
		valid.Set(io.Item.Valid)
		rest.Set(hw.Cat(io.Item.Data.Bit(itemBits(p.Params)-1), number.Trunc(lanes)))
	})
	return hw.Cat(valid, rest)
}

// choose picks the item's words out of the eDRAM row.
func (p Controller) choose(m *hw.Module, io ControllerPorts, mode, item, move hw.Bits) (out lookup, id hw.Bits) {
	lanes := arch.Log2(p.Engines)
	lane := item.Trunc(lanes).As("lane")
	word := io.Data.Index(lane).As("word")
	next := io.Data.Index(lane.Or(hw.Lit(lanes, 1))).As("next_word")
	result := io.Result.Index(lane).As("lane_result")
	index := hw.Mux(mode, next, word).As("row_index")
	tb := tableBits(p.Params)

	out = lookup{valid: m.Reg("chosen", 1, 0), end: m.Data("chosen_end", 1), first: m.Data("chosen_first", 1), last: m.Data("chosen_last", 1),
		index: m.Data("chosen_index", 32), table: m.Data("chosen_table", tb), hit: m.Data("chosen_hit", 1), way: m.Data("chosen_way", p.WayBits())}
	id = m.Data("chosen_id", p.IDBits())
	m.When(move, func() {
		out.valid.Set(item.Bit(lanes + 1))
		out.end.Set(item.Bit(lanes))
		out.first.Set(io.SlotFirst)
		out.last.Set(io.SlotLast)
		out.index.Set(index)
		out.table.Set(hw.Mux(mode, word.Trunc(tb), io.SlotTable))
		out.hit.Set(result.Bit(p.WayBits()).And(mode.Not()))
		out.way.Set(result.Trunc(p.WayBits()))
		id.Set(io.SlotBase.Add(index.Trunc(p.IDBits())))
	})
	return out, id
}

// permute delays an item by the latency of the permutation; the table's base
// address is read during the last of these stages.
func (p Controller) permute(m *hw.Module, io ControllerPorts, in lookup, id, move hw.Bits) (lookup, hw.Bits) {
	f := hw.Inst(m, "feistel", feistel.Feistel{Width: p.IDBits()})
	f.Enable.Set(move)
	f.InValid.Set(in.valid)
	f.InID.Set(id)
	rest := hw.Cat(in.end, in.first, in.last, in.index, in.table, in.hit, in.way)
	for i := range feistel.Rounds {
		if i == feistel.Rounds-1 {
			io.TableRead.Set(rest.Slice(p.WayBits()+1+tableBits(p.Params)-1, p.WayBits()+1))
			io.TableEnable.Set(move)
		}
		r := m.Data(fmt.Sprintf("delay_%d", i), rest.Width())
		prev := rest
		m.When(move, func() { r.Set(prev) })
		rest = r
	}
	wb, tb := p.WayBits(), tableBits(p.Params)
	out := lookup{valid: f.OutValid, way: rest.Trunc(wb), hit: rest.Bit(wb), table: rest.Slice(wb+tb, wb+1),
		index: rest.Slice(wb+tb+32, wb+tb+1), last: rest.Bit(wb + tb + 33), first: rest.Bit(wb + tb + 34), end: rest.Bit(wb + tb + 35)}
	return out, f.OutID
}

// located is an item at the last stage, with the parts of its row's address.
type located struct {
	valid, hit, first, last, end hw.Bits
	table, base, offset          hw.Bits
}

// locate adds the table's base address, and where behind a base the row lies:
// by block number behind a hot table, else by index.
func (p Controller) locate(m *hw.Module, io ControllerPorts, in lookup, permuted, move hw.Bits) located {
	out := located{valid: m.Reg("ready_valid", 1, 0), hit: m.Data("ready_hit", 1), first: m.Data("ready_first", 1), last: m.Data("ready_last", 1),
		end: m.Data("ready_end", 1), table: m.Data("ready_table", tableBits(p.Params)), base: m.Data("ready_base", 64), offset: m.Data("ready_offset", 64)}
	block := hw.Cat(permuted.Trunc(p.BankBits()+p.RowBits()), in.way).As("block")
	m.When(move, func() {
		out.valid.Set(in.valid)
		out.hit.Set(in.hit)
		out.first.Set(in.first)
		out.last.Set(in.last)
		out.end.Set(in.end)
		out.table.Set(in.table)
		out.base.Set(io.TableBase)
		out.offset.Set(hw.Mux(in.hit, block.Ext(64), in.index.Ext(64)).Shl(io.RowLog2))
	})
	return out
}

// turns tells which GPU is next.
type turns struct {
	source hw.Bits // to read a hot row from
	target hw.Bits // to get the input's vectors, or to give the gradient
	round  hw.Bits // vectors, or gradients, that each GPU has so far
}

func (p Controller) turns(m *hw.Module) turns {
	return turns{source: m.Data("hot_gpu", gpuBits(p.Params)), target: m.Data("target_gpu", gpuBits(p.Params)), round: m.Data("round", 32)}
}

// pass gives the turn to the next GPUs: after a hot row has been read, and
// after an input or a list entry.
func (p Controller) pass(m *hw.Module, io ControllerPorts, mode hw.Bits, t turns, hotRead, entry hw.Bits) {
	isLast := func(gpu hw.Bits) hw.Bits { return gpu.Ext(gpusBits(p.Params)).Inc().Eq(io.GPUs) }
	after := func(gpu hw.Bits) hw.Bits { return hw.Mux(isLast(gpu), hw.Zeros(gpu.Width()), gpu.Inc()) }
	m.When(io.Start, func() {
		t.source.Set(hw.K(0))
		t.target.Set(hw.K(0))
		t.round.Set(hw.K(0))
	}).Else(func() {
		m.When(hotRead, func() { t.source.Set(after(t.source)) })
		m.When(entry, func() {
			t.target.Set(after(t.target))
			m.When(isLast(t.target), func() { t.round.Set(t.round.Add(hw.Mux(mode, hw.Lit(32, 1), io.Tables.Ext(32)))) })
		})
	})
}

// step is one of the things that an item stands for: a reducer operation, with
// the read of its row or without. If again, it is not the item's last step.
type step struct{ read, again, request, operation hw.Bits }

// step is step number phase of an item: in a gather a row added and, after the
// last slot of a table, a write; in an update a multiplied gradient, the row
// added, and a write.
func (p Controller) step(m *hw.Module, io ControllerPorts, mode, phase hw.Bits, item located, t turns) step {
	s := step{read: m.Wire("read", 1), again: m.Wire("again", 1), request: m.Wire("request", dma.RequestBits), operation: m.Wire("operation", reduce.OpBits)}
	row := hw.Mux(item.hit, io.Hot.Index(t.source), item.base).Add(item.offset).As("row_addr")
	gradient := io.Grad.Index(t.target).Add(t.round.Ext(64).Shl(io.RowLog2)).As("gradient_addr")
	vector := io.Pooled.Index(t.target).Add(t.round.Add(item.table.Ext(32)).Ext(64).Shl(io.RowLog2)).As("vector_addr")

	on, off := hw.Lit(1, 1), hw.Lit(1, 0)
	length := hw.Lit(dma.LenBits, 1).Shl(io.RowLog2).As("row_bytes")
	do := func(kind reduce.Kind, load, addr hw.Bits) {
		s.operation.Set(reduce.Op{Kind: hw.Lit(2, uint64(kind)), Load: load, Scalar: io.Scale, Addr: addr}.Pack())
	}
	with := func(peer, addr hw.Bits) { // a row
		s.read.Set(on)
		s.request.Set(dma.Request{Peer: peer, Addr: addr, Len: length, Kind: hw.Lit(2, uint64(dma.Row)), Dest: hw.Zeros(destBits)}.Pack())
	}
	nowhere := hw.Zeros(64)
	with(item.hit, row)
	s.again.Set(on)
	do(reduce.Add, off, nowhere)
	m.When(mode, func() {
		m.Switch(phase).
			Case(hw.K(0), func() {
				with(on, gradient)
				do(reduce.Mul, off, nowhere)
			}).
			Case(hw.K(1), func() {}).
			Default(func() {
				s.read.Set(off)
				s.again.Set(off)
				do(reduce.Write, off, row)
			})
	}).ElseWhen(phase.Eq(hw.K(0)), func() {
		s.again.Set(item.last)
		do(reduce.Add, item.first, nowhere)
	}).Else(func() {
		s.read.Set(off)
		s.again.Set(off)
		do(reduce.Write, off, vector)
	})
	return s
}

// emit sends the steps of an item. The read and the operation of a step leave
// independently; the next step waits for both.
func (p Controller) emit(m *hw.Module, io ControllerPorts, mode hw.Bits, item located, move hw.Bits) {
	t := p.turns(m)
	phase := m.Reg("phase", 2, 0)
	s := p.step(m, io, mode, phase, item, t)

	asked, ordered := m.Reg("read_sent", 1, 0), m.Reg("operation_sent", 1, 0)
	io.Req.Valid.Set(item.valid.And(s.read).And(asked.Not()))
	io.Req.Data.Set(s.request)
	io.Op.Valid.Set(item.valid.And(ordered.Not()))
	io.Op.Data.Set(s.operation)
	readDone := s.read.Not().Or(asked).Or(io.Req.Ready).As("read_done")
	sent := item.valid.And(readDone).And(ordered.Or(io.Op.Ready)).As("sent")
	finished := sent.And(s.again.Not()).As("finished")
	move.Set(item.valid.Not().Or(finished))
	m.When(sent, func() {
		phase.Set(hw.Mux(s.again, phase.Inc(), hw.Lit(2, 0)))
		asked.Set(hw.K(0))
		ordered.Set(hw.K(0))
	}).Else(func() {
		m.When(io.Req.Fire(), func() { asked.Set(hw.K(1)) })
		m.When(io.Op.Fire(), func() { ordered.Set(hw.K(1)) })
	})

	isRow := sent.And(s.read).And(mode.Not().Or(phase.Eq(hw.K(1)))).As("row_read") // not a gradient
	io.HotRow.Set(isRow.And(item.hit))
	io.ColdRow.Set(isRow.And(item.hit.Not()))
	p.pass(m, io, mode, t, io.HotRow, finished.And(item.end.Or(mode)))
	p.count(m, io, finished)
}

// count keeps the number of items in the pipeline.
func (p Controller) count(m *hw.Module, io ControllerPorts, finished hw.Bits) {
	items := m.Reg("in_flight", 4, 0)
	taken := io.Item.Fire().As("taken")
	m.When(taken.And(finished.Not()), func() { items.Set(items.Inc()) }).
		ElseWhen(finished.And(taken.Not()), func() { items.Set(items.Dec()) })
	io.Idle.Set(items.Eq(hw.K(0)))
}
