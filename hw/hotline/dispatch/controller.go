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
	p.emit(m, io, mode, delayed, permuted, move)
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

// emit computes the addresses and sends what an item stands for: in a gather
// one read, one add and after the last slot of a table a write; in an update
// two reads, a multiplication, an addition and a write.
func (p Controller) emit(m *hw.Module, io ControllerPorts, mode hw.Bits, in lookup, permuted, move hw.Bits) {
	gb := gpuBits(p.Params)
	valid := m.Reg("ready_valid", 1, 0)
	hit, first, last, end := m.Data("ready_hit", 1), m.Data("ready_first", 1), m.Data("ready_last", 1), m.Data("ready_end", 1)
	offset, base := m.Data("ready_offset", 64), m.Data("ready_base", 64)
	table := m.Data("ready_table", tableBits(p.Params))
	block := hw.Cat(permuted.Trunc(p.BankBits()+p.RowBits()), in.way).As("block")
	m.When(move, func() {
		valid.Set(in.valid)
		hit.Set(in.hit)
		first.Set(in.first)
		last.Set(in.last)
		end.Set(in.end)
		table.Set(in.table)
		base.Set(io.TableBase)
		offset.Set(hw.Mux(in.hit, block.Ext(64), in.index.Ext(64)).Shl(io.RowLog2))
	})

	source := m.Data("hot_gpu", gb) // which GPU the next hot row comes from
	target := m.Data("target_gpu", gb)
	round := m.Data("round", 32) // vectors, or gradients, that each GPU has so far
	step := func(r hw.Bits) hw.Bits {
		return hw.Mux(r.Ext(gpusBits(p.Params)).Inc().Eq(io.GPUs), hw.Lit(gb, 0), r.Inc())
	}
	wrap := target.Ext(gpusBits(p.Params)).Inc().Eq(io.GPUs).As("target_wraps")

	phase := m.Reg("phase", 2, 0)
	again := m.Wire("again", 1) // the item has another phase
	read, op := m.Wire("read", 1), m.Wire("operate", 1)
	request := m.Wire("request", dma.RequestBits)
	operation := m.Wire("operation", reduce.OpBits)
	rowBytes := hw.Lit(13, 1).Shl(io.RowLog2).As("row_bytes")
	row := hw.Mux(hit, io.Hot.Index(source), base).Add(offset).As("row_addr")
	gradient := io.Grad.Index(target).Add(round.Ext(64).Shl(io.RowLog2)).As("gradient_addr")
	vector := io.Pooled.Index(target).Add(round.Add(table.Ext(32)).Ext(64).Shl(io.RowLog2)).As("vector_addr")
	on, off, nowhere := hw.Lit(1, 1), hw.Lit(1, 0), hw.Lit(64, 0)
	readOf := func(peer, addr hw.Bits) hw.Bits {
		return dma.Request{Peer: peer, Addr: addr, Len: rowBytes, Kind: hw.Lit(2, uint64(dma.Row)), Dest: hw.Zeros(destBits)}.Pack()
	}
	opOf := func(kind reduce.Kind, load, addr hw.Bits) hw.Bits {
		return reduce.Op{Kind: hw.Lit(2, uint64(kind)), Load: load, Scalar: io.Scale, Addr: addr}.Pack()
	}

	read.Set(off)
	op.Set(valid)
	again.Set(off)
	request.Set(readOf(hit, row))
	operation.Set(opOf(reduce.Add, first, nowhere))
	m.When(mode, func() {
		m.Switch(phase).Case(hw.K(0), func() {
			read.Set(valid)
			again.Set(on)
			request.Set(readOf(on, gradient))
			operation.Set(opOf(reduce.Mul, on, nowhere))
		}).Case(hw.K(1), func() {
			read.Set(valid)
			again.Set(on)
			operation.Set(opOf(reduce.Add, off, nowhere))
		}).Default(func() { operation.Set(opOf(reduce.Write, off, row)) })
	}).Else(func() {
		m.When(phase.Eq(hw.K(0)), func() {
			read.Set(valid)
			again.Set(last)
		}).Else(func() { operation.Set(opOf(reduce.Write, off, vector)) })
	})

	io.Req.Data.Set(request)
	io.Op.Data.Set(operation)
	io.Req.Valid.Set(read.And(io.Op.Ready))
	io.Op.Valid.Set(op.And(io.Req.Ready.Or(read.Not())))
	sent := io.Op.Fire().As("sent")
	finished := sent.And(again.Not()).As("finished")
	move.Set(valid.Not().Or(finished))
	m.When(sent, func() { phase.Set(hw.Mux(again, phase.Inc(), hw.Lit(2, 0))) })

	advance := finished.And(end.Or(mode)).As("advance") // to the next target GPU
	m.When(io.Start, func() {
		source.Set(hw.K(0))
		target.Set(hw.K(0))
		round.Set(hw.K(0))
	}).Else(func() {
		m.When(sent.And(read).And(hit), func() { source.Set(step(source)) })
		m.When(advance, func() {
			target.Set(hw.Mux(wrap, hw.Lit(gb, 0), target.Inc()))
			m.When(wrap, func() { round.Set(round.Add(hw.Mux(mode, hw.Lit(32, 1), io.Tables.Ext(32)))) })
		})
	})
	counted := sent.And(read).And(mode.Not().Or(phase.Eq(hw.K(1))))
	io.HotRow.Set(counted.And(hit))
	io.ColdRow.Set(counted.And(hit.Not()))
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
