package memory

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/address"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/input"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// Controller is the memory controller. It fetches each item of a Walker from the eDRAM, computes
// the address of its row, and emits the reads and the reducer operations. Its pipeline has these
// stages:
//
//	fetch     the words and results of the item's eDRAM row, its slot register
//	choose    its own word and result
//	identify  row id
//	permute   4 stages; they yield the block number and the base of the table
//	emit      addresses, reads, operations
type Controller struct {
	sizes.Beats
	sizes.SlotNumbers
	sizes.TableNumbers
	sizes.GPUNumbers
	VectorValues int `doc:"FP32 values of the embedding vector buffer"`
	Blocks       int `doc:"EAL blocks in total: rows that can be hot"`
	Ways         int `doc:"size of an EAL set" unit:"blocks"`
	IDBits       int `doc:"row id" unit:"bits"`
}

// Ports are the ports of a Controller.
type Ports struct {
	Start     hw.Bits      `hw:"in" doc:"begins a gather or an update"`
	Update    hw.Bits      `hw:"in" doc:"1: an update, 0: a gather"`
	Half      hw.Bits      `hw:"in" doc:"half of the eDRAM"`
	Registers address.Rows `hw:"in,inline"`

	Item   hw.Stream[Item]      `hw:"in" doc:"lookups, or entries of the list"`
	Fetch  input.Fetch          `hw:"out" doc:"reads a row of words and results"`
	Data   hw.Vec               `hw:"in,32,len=Engines" doc:"words of the row, by engine"`
	Result hw.Array[eal.Result] `hw:"in,len=Engines" doc:"results of the row, by engine"`
	Table  address.TableRead    `hw:"out" doc:"reads of base addresses"`
	Slot   address.SlotRead     `hw:"out" doc:"reads of slot registers"`

	Req     hw.Stream[dma.Request] `hw:"out" doc:"reads of rows"`
	Op      hw.Stream[reduce.Op]   `hw:"out" doc:"operations on the rows"`
	Idle    hw.Bits                `hw:"out" doc:"no item is in flight"`
	HotRow  hw.Bits                `hw:"out" doc:"pulse: a row was requested from a GPU"`
	ColdRow hw.Bits                `hw:"out" doc:"pulse: a row was requested from host memory"`
}

// BlockBits returns the width of the number of an EAL block.
func (p Controller) BlockBits() int { return arch.Log2(p.Blocks) }

// WayBits returns the width of a way number.
func (p Controller) WayBits() int { return arch.Log2(p.Ways) }

// ModuleName returns the name of the module.
func (Controller) ModuleName() string { return "memory_controller" }

// Build describes the controller.
func (p Controller) Build(m *hw.Module) Ports {
	m.Doc("Memory controller: turns lookups into row reads, reducer operations and vector addresses.")
	c := pipeline{m: m, p: p, io: hw.Ports[Ports](m), move: m.Wire("move", 1), update: m.Data("updating", 1)}
	m.When(c.io.Start, func() { c.update.Set(c.io.Update) })
	c.io.Item.Ready.Set(c.move)
	located := c.permute(c.identify(c.choose(c.fetch())))

	e := hw.Inst(m, "emitter", Emitter{p.Beats, p.TableNumbers, p.GPUNumbers, p.VectorValues, p.Blocks})
	e.Start.Set(c.io.Start)
	e.Update.Set(c.io.Update)
	hw.Set(e.Registers, c.io.Registers)
	e.Place.Valid.Set(located.Valid)
	hw.Set(e.Place.Data, located.Data)
	c.move.Set(e.Place.Ready)
	c.io.Req.Connect(e.Req)
	c.io.Op.Connect(e.Op)
	c.io.HotRow.Set(e.HotRow)
	c.io.ColdRow.Set(e.ColdRow)
	c.count(e.Sent)
	return c.io
}

// pipeline carries items to the emitter. All its stages move together.
type pipeline struct {
	m      *hw.Module
	p      Controller
	io     Ports
	move   hw.Bits
	update hw.Bits // the items are entries of an update list
}

// stage returns x delayed by one stage.
func stage[T any](c pipeline, name string, x dma.Event[T]) dma.Event[T] {
	s := dma.Event[T]{Valid: c.m.Reg(name+"_valid", 1, 0), Data: hw.Data[T](c.m, name)}
	c.m.When(c.move, func() {
		s.Valid.Set(x.Valid)
		c.m.When(x.Valid, func() { hw.Set(s.Data, x.Data) })
	})
	return s
}

// fetched is an item whose eDRAM row and slot register are on the ports.
type fetched struct {
	Next hw.Bits `doc:"as of the item"`
	End  hw.Bits `doc:"likewise"`
	Lane hw.Bits `hw:"LaneBits" doc:"engine whose bank holds the word"`
}

// fetch starts the memory reads of an item. Their data arrive one stage later.
func (c pipeline) fetch() dma.Event[fetched] {
	io, lanes := c.io, c.p.LaneBits()
	item, take := io.Item.Data, io.Item.Fire().As("take")
	io.Fetch.Enable.Set(take)
	io.Fetch.Row.Set(c.p.Address(io.Half, item.Word.Slice(item.Word.Width()-1, lanes)))
	io.Slot.Enable.Set(take)
	io.Slot.Number.Set(item.Slot)
	return stage(c, "fetched", dma.Event[fetched]{Valid: io.Item.Valid, Data: fetched{Next: item.Next, End: item.End, Lane: item.Word.Trunc(lanes)}})
}

// chosen is an item with its word, its result and its slot register. In an update, the fields come
// from the entry of the list instead.
type chosen struct {
	Next   hw.Bits      `doc:"as of the item"`
	End    hw.Bits      `doc:"likewise"`
	Slot   address.Slot `hw:"inline"`
	Word   hw.Bits      `hw:"32" doc:"index of the row, unless it is a gradient"`
	Result eal.Result   `hw:"inline"`
}

// choose selects the item's word and result from the eDRAM row. An entry of an update list has its
// table in an even word and its index in the next word.
func (c pipeline) choose(in dma.Event[fetched]) dma.Event[chosen] {
	const w = sizes.WordBits
	lane, slot := in.Data.Lane, c.io.Slot.Slot
	pair := c.io.Data.Pack().Unpack(2 * w).Index(lane.Slice(lane.Width()-1, 1)).As("pair")
	odd, result := lane.Bit(0), c.io.Result.Index(lane)
	entry := hw.With(slot, address.Slot{Table: pair.Trunc(c.p.TableBits()), First: odd.Not(), Last: odd})
	return stage(c, "chosen", dma.Event[chosen]{Valid: in.Valid, Data: chosen{
		Next: in.Data.Next, End: in.Data.End,
		Slot: hw.Mux(c.update, entry, slot), Word: hw.Mux(odd, pair.Slice(2*w-1, w), pair.Trunc(w)),
		Result: eal.Result{Hit: result.Hit.And(c.update.Not()), Way: result.Way},
	}})
}

// identified is an item with the id of its row.
type identified struct {
	ID     hw.Bits `hw:"IDBits"`
	Lookup lookup  `hw:"inline"`
}

// identify computes the row id.
func (c pipeline) identify(in dma.Event[chosen]) dma.Event[identified] {
	x := in.Data
	return stage(c, "known", dma.Event[identified]{Valid: in.Valid, Data: identified{
		ID:     x.Slot.Base.Add(x.Word.Trunc(c.p.IDBits)),
		Lookup: lookup{Next: x.Next, End: x.End, First: x.Slot.First, Last: x.Slot.Last, Hit: x.Result.Hit, Way: x.Result.Way, Table: x.Slot.Table, Index: x.Word},
	}})
}

// permute computes the set of a row and delays the other fields equally. The table's base address
// is read during the last of these stages.
func (c pipeline) permute(in dma.Event[identified]) dma.Event[place] {
	f := hw.Inst(c.m, "randomizer", randomizer.Randomizer{Width: c.p.IDBits})
	f.Enable.Set(c.move)
	f.In.Valid.Set(in.Valid)
	f.In.ID.Set(in.Data.ID)
	c.m.Unused(f.Out.Valid) // the other stages carry it
	rest := dma.Event[lookup]{Valid: in.Valid, Data: in.Data.Lookup}
	for i := range randomizer.Rounds {
		if i == randomizer.Rounds-1 {
			c.io.Table.Number.Set(rest.Data.Table)
			c.io.Table.Enable.Set(c.move.And(rest.Valid))
		}
		rest = stage(c, fmt.Sprintf("permuted_%d", i), rest)
	}
	x, set := rest.Data, f.Out.ID.Trunc(c.p.BlockBits()-c.p.WayBits())
	return dma.Event[place]{Valid: rest.Valid, Data: place{Next: x.Next, End: x.End, First: x.First, Last: x.Last, Hit: x.Hit,
		Block: hw.Cat(set, x.Way), Table: x.Table, Index: x.Index, Base: c.io.Table.Base}}
}

// count tracks the number of items in the pipeline.
func (c pipeline) count(sent hw.Bits) {
	items := c.m.Reg("in_flight", 4, 0)
	taken := c.io.Item.Fire().As("taken")
	c.m.When(taken.And(sent.Not()), func() { items.Set(items.Inc()) }).
		ElseWhen(sent.And(taken.Not()), func() { items.Set(items.Dec()) })
	c.io.Idle.Set(items.IsZero())
}
