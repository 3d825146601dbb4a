package lookup

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// walk steps through the words of one engine and keeps, without a division, the
// lookup slot k mod L of the next: it grows by E mod L per word. It begins with
// the engine's number, from which each cycle with Settle subtracts L if it is
// too large.
type walk struct{ arch.Params }

type walkPorts struct {
	Start, Settle, Words, Slots, Step hw.Bits // see run

	Lane hw.Bits   // number of the engine
	Base baseWrite // slot register write

	Next   hw.Bits // take the word
	More   hw.Bits // there is one
	Row    hw.Bits // its row
	Slot   hw.Bits // its lookup slot, as many bits as the cache wants
	BaseID hw.Bits // id of row 0 of the slot's table, a cycle after Next, until the one after the next
}

// baseWrite writes the base of a slot.
type baseWrite struct{ Enable, Addr, Data hw.Bits }

func baseIn(m *hw.Module, name string, p arch.Params) baseWrite {
	return baseWrite{m.In(name+"_we", 1), m.In(name+"_addr", hw.IndexWidth(p.Slots)), m.In(name+"_base", p.IDBits())}
}

func (b baseWrite) connect(from baseWrite) {
	b.Enable.Set(from.Enable)
	b.Addr.Set(from.Addr)
	b.Data.Set(from.Data)
}

// ModuleName names the module.
func (p walk) ModuleName() string { return "lookup_walk" }

// Build describes the walk.
func (p walk) Build(m *hw.Module) walkPorts {
	m.Doc("Steps through an engine's words and their lookup slots.")
	width := stepWidth(p.Params)
	io := walkPorts{
		Start:  m.In("start", 1),
		Settle: m.In("settle", 1),
		Words:  m.In("words", hw.CountWidth(p.HalfWords())),
		Slots:  m.In("slots", width),
		Step:   m.In("step", width),
		Lane:   m.In("lane", laneWidth(p.Params)),
		Base:   baseIn(m, "slot", p.Params),
		Next:   m.In("next", 1),
		More:   m.Out("more", 1),
		Row:    m.Out("row", rowWidth(p.Params)),
		Slot:   m.Out("slot", indexWidth(p.Params)),
		BaseID: m.Out("base_id", p.IDBits()),
	}
	row, slot := m.Reg("next_row", rowWidth(p.Params), 0), m.Reg("next_slot", width, 0)
	io.More.Set(before(row, io.Lane, io.Words))
	io.Row.Set(row)
	io.Slot.Set(slot.Resize(indexWidth(p.Params)))

	sum := slot.Add(io.Step).As("sum")
	m.When(io.Start, func() {
		row.Set(hw.K(0))
		slot.Set(io.Lane.Ext(width))
	}).ElseWhen(io.Settle.Or(io.Next), func() {
		m.When(io.Next, func() { row.Set(row.Inc()) })
		slot.Set(hw.Mux(sum.Ge(io.Slots), sum.Sub(io.Slots), sum))
	})

	bases := hw.Inst(m, "bases", ram.SimpleDual{Depth: p.Params.Slots, Width: p.IDBits()})
	bases.Write.Set(io.Base.Enable)
	bases.WAddr.Set(io.Base.Addr)
	bases.WData.Set(io.Base.Data)
	bases.Read.Set(io.Next)
	bases.RAddr.Set(slot.Trunc(io.Base.Addr.Width()))
	io.BaseID.Set(bases.RData)
	return io
}
