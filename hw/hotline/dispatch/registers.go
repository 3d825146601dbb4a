package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Registers are the address registers: everything that s_wr writes.
type Registers struct{ arch.Params }

// RegisterPorts: a write at Index takes effect in the next cycle. The table
// and slot read ports are synchronous and hold while their enable is 0.
type RegisterPorts struct {
	Write, Index, Value hw.Bits // 1, 10, 64 bits

	Slots, Tables, RowLog2, GPUs, Scale hw.Bits
	Hot, Pooled, Grad, Mailbox          hw.Vec // base addresses by GPU

	TableEnable, TableRead, TableBase hw.Bits
	SlotEnable, SlotRead              hw.Bits
	SlotBase, SlotTable               hw.Bits
	SlotFirst, SlotLast               hw.Bits
}

// ModuleName names the module.
func (Registers) ModuleName() string { return "address_registers" }

// Build describes the registers.
func (p Registers) Build(m *hw.Module) RegisterPorts {
	m.Doc("Address registers: base addresses, slot descriptions and sizes, written by s_wr.")
	a := p.Params
	io := RegisterPorts{
		Write: m.In("write", 1), Index: m.In("index", indexBits), Value: m.In("value", 64),
		Slots: m.Out("slots", slotsBits(a)), Tables: m.Out("tables", tablesBits(a)),
		RowLog2: m.Out("row_log2", rowLog2Bits), GPUs: m.Out("gpus", gpusBits(a)), Scale: m.Out("scale", 32),
		Hot: m.OutVec("hot", p.GPUs, 64), Pooled: m.OutVec("pooled", p.GPUs, 64),
		Grad: m.OutVec("grad", p.GPUs, 64), Mailbox: m.OutVec("mailboxes", p.GPUs, 64),
		TableEnable: m.In("table_enable", 1), TableRead: m.In("table_read", tableBits(a)), TableBase: m.Out("table_base", 64),
		SlotEnable: m.In("slot_enable", 1), SlotRead: m.In("slot_read", slotBits(a)),
		SlotBase: m.Out("slot_base", p.IDBits()), SlotTable: m.Out("slot_table", tableBits(a)),
		SlotFirst: m.Out("slot_first", 1), SlotLast: m.Out("slot_last", 1),
	}
	p.scalars(m, io)
	p.bases(m, io)
	p.tables(m, io)
	p.slots(m, io)
	return io
}

func (p Registers) scalars(m *hw.Module, io RegisterPorts) {
	one := func(name string, index int, out hw.Bits) {
		r := m.Reg(name+"_q", out.Width(), 0)
		m.When(io.Write.And(io.Index.Eq(hw.K(index))), func() { r.Set(io.Value.Trunc(out.Width())) })
		out.Set(r)
	}
	one("slots", arch.RegSlots, io.Slots)
	one("tables", arch.RegTables, io.Tables)
	one("row_log2", arch.RegRowLog2, io.RowLog2)
	one("gpus", arch.RegGPUs, io.GPUs)
	one("scale", arch.RegScale, io.Scale)
}

func (p Registers) bases(m *hw.Module, io RegisterPorts) {
	group := func(name string, index int, out hw.Vec) {
		r := m.DataVec(name+"_q", p.GPUs, 64)
		hit := io.Write.And(io.Index.Slice(indexBits-1, 3).Eq(hw.K(index >> 3)))
		m.When(hit, func() { r.Index(io.Index.Trunc(gpuBits(p.Params))).Set(io.Value) })
		out.Set(r)
	}
	group("hot", arch.RegHot, io.Hot)
	group("pooled", arch.RegPooled, io.Pooled)
	group("grad", arch.RegGrad, io.Grad)
	group("mailboxes", arch.RegMailbox, io.Mailbox)
}

func (p Registers) tables(m *hw.Module, io RegisterPorts) {
	mem := m.Mem("table_mem", p.Tables, 64)
	q := m.Data("table_q", 64)
	m.When(io.Write.And(io.Index.Slice(indexBits-1, 8).Eq(hw.K(arch.RegTable>>8))), func() {
		mem.Write(io.Index.Trunc(tableBits(p.Params)), io.Value)
	})
	m.When(io.TableEnable, func() { q.Set(mem.Read(io.TableRead)) })
	io.TableBase.Set(q)
}

func (p Registers) slots(m *hw.Module, io RegisterPorts) {
	tb := tableBits(p.Params)
	mem := m.Mem("slot_mem", p.Slots, 2+tb+p.IDBits())
	q := m.Data("slot_q", 2+tb+p.IDBits())
	entry := hw.Cat(io.Value.Slice(arch.SlotLastBit, arch.SlotFirstBit),
		io.Value.Slice(arch.SlotTableLo+tb-1, arch.SlotTableLo), io.Value.Trunc(p.IDBits()))
	m.When(io.Write.And(io.Index.Slice(indexBits-1, 8).Eq(hw.K(arch.RegSlot>>8))), func() {
		mem.Write(io.Index.Trunc(slotBits(p.Params)), entry)
	})
	m.When(io.SlotEnable, func() { q.Set(mem.Read(io.SlotRead)) })
	id := p.IDBits()
	io.SlotBase.Set(q.Trunc(id))
	io.SlotTable.Set(q.Slice(id+tb-1, id))
	io.SlotFirst.Set(q.Bit(id + tb))
	io.SlotLast.Set(q.Bit(id + tb + 1))
}
