package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
)

// located reports whether the registers that the current command needs have been written since the
// reset. For an update, inspect checks the tables, which are in its list.
func (x *control) located() hw.Bits {
	given := x.u.regs.Given
	ok := x.m.Wire("located", 1)
	ok.Set(hw.K(1))
	x.m.Switch(x.c.Opcode.Bits()).
		Any(x.c.cases(arch.GPURead), func() { ok.Set(given.HotOf.Unpack(1).Index(x.c.Operand1.Trunc(x.p.GPUBits()))) }).
		Any(x.c.cases(arch.Learn), func() { ok.Set(given.Slots) }).
		Any(x.c.cases(arch.Classify), func() { ok.Set(given.Slots.And(given.Mailboxes)) }).
		Any(x.c.cases(arch.Gather), func() { ok.Set(given.Slots.And(given.SlotTables).And(given.Hot).And(given.Pooled)) }).
		Any(x.c.cases(arch.Update), func() { ok.Set(given.Grad) }).
		Default(func() {})
	return ok
}

// inspect checks the entries of an update list as they arrive, in any order. It reports whether an
// entry contains a table whose address was not written since the reset.
func (x *control) inspect() (noTable hw.Bits) {
	m, load := x.m, x.io.Load
	n := x.p.StreamBits / (sizes.WordBits * sizes.EntryWords)
	beat := load.Data.Dest.Trunc(x.p.DestBits() - 1) // beat number in the half
	entries := load.Data.Data.Unpack(sizes.WordBits * sizes.EntryWords)
	tables := x.u.regs.Given.Tables.Unpack(1)
	bad := m.WireVec("entry_no_table", n, 1)
	m.For("entry", n, func(i hw.Index) {
		number := hw.Cat(beat, i.Bits(arch.Log2(n)))
		w := number.Width() + 1
		listed := number.Ext(w).Lt(x.c.count().Resize(w))
		bad.At(i).Set(listed.And(tables.Index(entries.At(i).Trunc(x.p.TableBits())).Not()))
	})
	noTable = m.Reg("list_no_table", 1, 0)
	m.When(x.Finish.Is(), func() { noTable.Set(hw.K(0)) }).
		ElseWhen(load.Valid.And(x.c.is(arch.Update)).And(bad.Pack().Any()), func() { noTable.Set(hw.K(1)) })
	return noTable
}
