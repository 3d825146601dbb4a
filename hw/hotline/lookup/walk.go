package lookup

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// lookupWalk steps through the words of one engine. It tracks the lookup slot k mod L of the next
// word without a division: per word, the slot grows by E mod L. The initial value is the engine's
// number, from which each cycle with Settle subtracts L while it is too large. lookupWalk also
// holds the engine's copy of the slot registers.
type lookupWalk struct {
	Engines   int `doc:"lookup engines"`
	IDBits    int `doc:"row id" unit:"bits"`
	WordsBits int `doc:"number of words of a run" unit:"bits"`
	RowBits   int `doc:"number of rows of a half of the input eDRAM" unit:"bits"`
	Slots     int `doc:"most lookups per sample"`
	SaltBits  int `doc:"salt of a lookup slot" unit:"bits"`
}

type walkPorts struct {
	Start  hw.Bits `hw:"in" doc:"a run begins"`
	Settle hw.Bits `hw:"in" doc:"engine numbers are being reduced to lookup slots"`
	Words  hw.Bits `hw:"in,WordsBits" doc:"of the mini-batch"`
	Slots  hw.Bits `hw:"in,StepBits" doc:"lookups per input, L"`
	Step   hw.Bits `hw:"in,StepBits" doc:"E mod L; 0 during settle"`

	Lane hw.Bits   `hw:"in,LaneBits" doc:"number of the engine"`
	Slot SlotWrite `hw:"in" doc:"id of row 0 of a slot's table"`

	Next   hw.Bits `hw:"in" doc:"takes the word"`
	More   hw.Bits `hw:"out" doc:"a word is left"`
	Row    hw.Bits `hw:"out,RowBits" doc:"row of the word"`
	Salt   hw.Bits `hw:"out,SaltBits" doc:"low bits of the lookup slot"`
	BaseID hw.Bits `hw:"out,IDBits" doc:"id of row 0 of the slot's table, a cycle after next, until the one after the next"`
}

// SlotWrite writes the register of a lookup slot.
type SlotWrite struct {
	Enable hw.Bits `hw:"name=we" doc:"writes base"`
	Addr   hw.Bits `hw:"SlotBits" doc:"lookup slot"`
	Base   hw.Bits `hw:"IDBits" doc:"id of row 0 of the slot's table"`
}

// LaneBits returns the width of an engine's number.
func (p lookupWalk) LaneBits() int { return arch.Log2(p.Engines) }

// SlotBits returns the width of the number of a lookup slot.
func (p lookupWalk) SlotBits() int { return hw.IndexWidth(p.Slots) }

// StepBits returns the same width as Sizes.StepBits.
func (p lookupWalk) StepBits() int { return max(p.LaneBits(), p.SlotBits()) + 1 }

// Build describes the walk.
func (p lookupWalk) Build(m *hw.Module) walkPorts {
	m.Doc("Steps through an engine's words and their lookup slots.")
	io := hw.Ports[walkPorts](m)
	row, slot := m.Reg("next_row", p.RowBits, 0), m.Reg("next_slot", p.StepBits(), 0)
	io.More.Set(before(row, io.Lane, io.Words))
	io.Row.Set(row)
	io.Salt.Set(slot.Resize(p.SaltBits))

	sum := slot.Add(io.Step).As("sum")
	m.When(io.Start, func() {
		row.Set(hw.K(0))
		slot.Set(io.Lane.Ext(p.StepBits()))
	}).ElseWhen(io.Settle.Or(io.Next), func() {
		m.When(io.Next, func() { row.Set(row.Inc()) })
		slot.Set(hw.Mux(sum.Ge(io.Slots), sum.Sub(io.Slots), sum))
	})

	bases := hw.Inst(m, "bases", ram.SimpleDual[hw.Bits]{Of: hw.Width(p.IDBits), Depth: p.Slots})
	bases.Write.Set(io.Slot.Enable)
	bases.WAddr.Set(io.Slot.Addr)
	bases.WData.Set(io.Slot.Base)
	bases.Read.Set(io.Next)
	bases.RAddr.Set(slot.Trunc(p.SlotBits()))
	io.BaseID.Set(bases.RData)
	return io
}
