package dispatch

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
)

// Controller is the memory controller: it fetches each item of a Walker from
// the eDRAM, finds where its row lies, and emits the reads and the reducer
// operations.
//
//	fetch     the words and results of the item's eDRAM row, its slot register
//	choose    its own word and result
//	identify  row id
//	permute   4 stages; at the end block number and base of the table
//	emit      addresses, reads, operations
type Controller struct{ arch.Params }

// ControllerPorts: Start begins a gather, or an update if Update is 1.
// Registers are as Registers gives them. Result is {hit, way} of each
// engine's lookup in the row that was read.
type ControllerPorts struct {
	Start, Update, Half                      hw.Bits
	Tables, RowLog2, GPUs, Scale             hw.Bits
	Hot, Pooled, Grad                        hw.Vec
	Item                                     hw.Stream[hw.Bits]
	FetchEnable, FetchRow                    hw.Bits
	Data, Result                             hw.Vec
	TableEnable, TableRead, TableBase        hw.Bits
	SlotEnable, SlotRead                     hw.Bits
	SlotBase, SlotTable, SlotFirst, SlotLast hw.Bits
	rowPorts
	Idle, HotRow, ColdRow hw.Bits // pulses: a row was requested from a GPU, from host memory
}

// ModuleName names the module.
func (Controller) ModuleName() string { return "memory_controller" }

// Build describes the controller.
func (p Controller) Build(m *hw.Module) ControllerPorts {
	m.Doc("Memory controller: turns lookups into row reads, reducer operations and vector addresses.")
	c := pipeline{m: m, p: p.Params, io: p.ports(m), move: m.Wire("move", 1), update: m.Data("updating", 1)}
	m.When(c.io.Start, func() { c.update.Set(c.io.Update) })
	c.io.Item.Ready.Set(c.move)
	located := c.permute(c.identify(c.choose(c.fetch())))

	e := hw.Inst(m, "emitter", Emitter(p))
	e.Start.Set(c.io.Start)
	e.Update.Set(c.io.Update)
	e.Tables.Set(c.io.Tables)
	e.RowLog2.Set(c.io.RowLog2)
	e.GPUs.Set(c.io.GPUs)
	e.Scale.Set(c.io.Scale)
	e.Hot.Set(c.io.Hot)
	e.Pooled.Set(c.io.Pooled)
	e.Grad.Set(c.io.Grad)
	e.Place.Valid.Set(located.valid)
	e.Place.Data.Set(located.place.pack())
	c.move.Set(e.Place.Ready)
	c.io.Req.Connect(e.Req)
	c.io.Op.Connect(e.Op)
	c.io.HotRow.Set(e.HotRow)
	c.io.ColdRow.Set(e.ColdRow)
	c.count(e.Finished)
	return c.io
}

func (p Controller) ports(m *hw.Module) ControllerPorts {
	a := p.Params
	return ControllerPorts{
		Start:       m.In("start", 1),
		Update:      m.In("update", 1),
		Half:        m.In("half", 1),
		Tables:      m.In("tables", tablesBits(a)),
		RowLog2:     m.In("row_log2", rowLog2Bits),
		GPUs:        m.In("gpus", gpusBits(a)),
		Scale:       m.In("scale", 32),
		Hot:         m.InVec("hot", p.GPUs, 64),
		Pooled:      m.InVec("pooled", p.GPUs, 64),
		Grad:        m.InVec("grad", p.GPUs, 64),
		Item:        m.Sink("item", itemBits(a)),
		FetchEnable: m.Out("fetch_enable", 1),
		FetchRow:    m.Out("fetch_row", edramRowBits(a)),
		Data:        m.InVec("data", p.Engines, wordBits),
		Result:      m.InVec("result", p.Engines, 1+p.WayBits()),
		TableEnable: m.Out("table_enable", 1),
		TableRead:   m.Out("table_read", tableBits(a)),
		TableBase:   m.In("table_base", 64),
		SlotEnable:  m.Out("slot_enable", 1),
		SlotRead:    m.Out("slot_read", slotBits(a)),
		SlotBase:    m.In("slot_base", p.IDBits()),
		SlotTable:   m.In("slot_table", tableBits(a)),
		SlotFirst:   m.In("slot_first", 1),
		SlotLast:    m.In("slot_last", 1),
		rowPorts:    hw.Ports[rowPorts](m),
		Idle:        m.Out("idle", 1),
		HotRow:      m.Out("hot_row", 1),
		ColdRow:     m.Out("cold_row", 1),
	}
}

// pipeline is the way of an item to the emitter; it moves as a whole.
type pipeline struct {
	m      *hw.Module
	p      arch.Params
	io     ControllerPorts
	move   hw.Bits
	update hw.Bits // the items are entries of an update list
}

// stage is a stage of the pipeline, for items that come with in.
type stage struct {
	pipeline
	name      string
	in, valid hw.Bits
}

func (c pipeline) stage(name string, in hw.Bits) stage {
	s := stage{c, name, in, c.m.Reg(name, 1, 0)}
	c.m.When(c.move, func() { s.valid.Set(in) })
	return s
}

// keep is x a stage later.
func (s stage) keep(name string, x hw.Bits) hw.Bits {
	r := s.m.Data(s.name+"_"+name, x.Width())
	s.m.When(s.move.And(s.in), func() { r.Set(x) })
	return r
}

// item is a lookup, or an entry of an update list, before its row is known.
// Not all fields are known from the first stage on.
type item struct {
	valid, end  hw.Bits // end: the input's last lookup
	lane        hw.Bits // engine whose bank holds the word
	first, last hw.Bits // slot of its table
	word, next  hw.Bits // the item's word and the odd one of its pair
	hit, way    hw.Bits
	base, table hw.Bits // id of row 0, number of the table
}

// fetch starts the memory reads of an item; their data is there a stage later.
func (c pipeline) fetch() item {
	io, lanes, wb := c.io, arch.Log2(c.p.Engines), wordsBits(c.p)
	number := io.Item.Data.Trunc(wb).As("number")
	take := io.Item.Fire().As("take")
	io.FetchEnable.Set(take)
	io.FetchRow.Set(edramRow(c.p, io.Half, number.Slice(wb-1, lanes)))
	io.SlotEnable.Set(take)
	io.SlotRead.Set(io.Item.Data.Slice(wb+slotBits(c.p)-1, wb))
	s := c.stage("fetched", io.Item.Valid)
	return item{
		valid: s.valid,
		end:   s.keep("end", io.Item.Data.Bit(itemBits(c.p)-1)),
		lane:  s.keep("lane", number.Trunc(lanes)),
		first: io.SlotFirst, last: io.SlotLast, base: io.SlotBase, table: io.SlotTable,
	}
}

// choose picks the item's words and result out of the eDRAM row.
func (c pipeline) choose(in item) item {
	wb := c.p.WayBits()
	pair := c.io.Data.Pack().Unpack(2 * wordBits).Index(in.lane.Slice(in.lane.Width()-1, 1)).As("pair")
	odd := pair.Slice(2*wordBits-1, wordBits)
	word := hw.Mux(in.lane.Bit(0), odd, pair.Trunc(wordBits))
	result := c.io.Result.Index(in.lane).As("lane_result")
	s := c.stage("chosen", in.valid)
	return item{
		valid: s.valid,
		end:   s.keep("end", in.end),
		first: s.keep("first", in.first),
		last:  s.keep("last", in.last),
		word:  s.keep("word", word),
		next:  s.keep("next", odd),
		hit:   s.keep("hit", result.Bit(wb).And(c.update.Not())),
		way:   s.keep("way", result.Trunc(wb)),
		base:  s.keep("base", in.base),
		table: s.keep("table", in.table),
	}
}

// identified is an item with the id of its row.
type identified struct {
	valid, id hw.Bits
	place     place // without block and base
}

// identify finds table and row.
func (c pipeline) identify(in item) identified {
	index := hw.Mux(c.update, in.next, in.word).As("row_index")
	table := hw.Mux(c.update, in.word.Trunc(tableBits(c.p)), in.table)
	s := c.stage("known", in.valid)
	return identified{
		valid: s.valid,
		id:    s.keep("id", in.base.Add(index.Trunc(c.p.IDBits()))),
		place: place{
			end:   s.keep("end", in.end),
			first: s.keep("first", in.first),
			last:  s.keep("last", in.last),
			hit:   s.keep("hit", in.hit),
			way:   s.keep("way", in.way),
			table: s.keep("table", table),
			index: s.keep("index", index),
		},
	}
}

// permute finds the set of a row and delays the rest by as much; the table's
// base address is read during the last of these stages.
func (c pipeline) permute(in identified) identified {
	f := hw.Inst(c.m, "randomizer", randomizer.Randomizer{Width: c.p.IDBits()})
	f.Enable.Set(c.move)
	f.In.Valid.Set(in.valid)
	f.In.ID.Set(in.id)
	c.m.Unused(f.Out.Valid)
	rest, valid := in.place, in.valid
	for i := range randomizer.Rounds {
		if i == randomizer.Rounds-1 {
			c.io.TableRead.Set(rest.table)
			c.io.TableEnable.Set(c.move.And(valid))
		}
		s := c.stage(fmt.Sprintf("permuted_%d", i), valid)
		rest, valid = rest.each(s.keep), s.valid
	}
	rest.set = f.Out.ID.Trunc(c.p.BankBits() + c.p.SetBits())
	rest.base = c.io.TableBase
	return identified{valid: valid, place: rest}
}

// count keeps the number of items in the pipeline.
func (c pipeline) count(finished hw.Bits) {
	items := c.m.Reg("in_flight", 4, 0)
	taken := c.io.Item.Fire().As("taken")
	c.m.When(taken.And(finished.Not()), func() { items.Set(items.Inc()) }).
		ElseWhen(finished.And(taken.Not()), func() { items.Set(items.Dec()) })
	c.io.Idle.Set(items.IsZero())
}
