package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// Registers are the address registers: everything that s_wr writes.
type Registers struct{ arch.Params }

// RegisterPorts: Legal tells whether there is a register Index that can hold
// Value; only then Write, in the same cycle, writes it. The table and slot read
// ports are synchronous and hold while their enable is 0.
type RegisterPorts struct {
	Write, Legal, Index, Value hw.Bits

	Slots, Tables, RowLog2, GPUs, Scale hw.Bits
	Hot, Pooled, Grad, Mailbox          hw.Vec // base addresses by GPU

	TableEnable, TableRead, TableBase hw.Bits
	SlotEnable, SlotRead              hw.Bits
	SlotBase, SlotTable               hw.Bits
	SlotFirst, SlotLast               hw.Bits
}

// Sizes of the groups of registers as arch numbers them.
const (
	arrayGroup = 0x100 // tables, slots
	gpuGroup   = 8     // bases by GPU
)

// ModuleName names the module.
func (Registers) ModuleName() string { return "address_registers" }

// Build describes the registers.
func (p Registers) Build(m *hw.Module) RegisterPorts {
	m.Doc("Address registers: base addresses, slot descriptions and sizes, written by s_wr.")
	io := p.ports(m)
	legal := hw.VecOf(p.scalars(m, io), p.bases(m, io), p.tables(m, io), p.slots(m, io))
	io.Legal.Set(legal.Pack().Any())
	return io
}

func (p Registers) ports(m *hw.Module) RegisterPorts {
	a := p.Params
	return RegisterPorts{
		Write:       m.In("write", 1),
		Legal:       m.Out("legal", 1),
		Index:       m.In("index", indexBits),
		Value:       m.In("value", 64),
		Slots:       m.Out("slots", slotsBits(a)),
		Tables:      m.Out("tables", tablesBits(a)),
		RowLog2:     m.Out("row_log2", rowLog2Bits),
		GPUs:        m.Out("gpus", gpusBits(a)),
		Scale:       m.Out("scale", 32),
		Hot:         m.OutVec("hot", p.GPUs, 64),
		Pooled:      m.OutVec("pooled", p.GPUs, 64),
		Grad:        m.OutVec("grad", p.GPUs, 64),
		Mailbox:     m.OutVec("mailboxes", p.GPUs, 64),
		TableEnable: m.In("table_enable", 1),
		TableRead:   m.In("table_read", tableBits(a)),
		TableBase:   m.Out("table_base", 64),
		SlotEnable:  m.In("slot_enable", 1),
		SlotRead:    m.In("slot_read", slotBits(a)),
		SlotBase:    m.Out("slot_base", p.IDBits()),
		SlotTable:   m.Out("slot_table", tableBits(a)),
		SlotFirst:   m.Out("slot_first", 1),
		SlotLast:    m.Out("slot_last", 1),
	}
}

// among tells whether Index is one of n registers from first on, in a group of
// at least n.
func (io RegisterPorts) among(first, n, group int) hw.Bits {
	low := arch.Log2(group)
	inGroup := io.Index.Slice(indexBits-1, low).Eq(hw.K(first >> low))
	if n == group {
		return inGroup
	}
	return inGroup.And(io.Index.Trunc(low).Lt(hw.K(n)))
}

func (p Registers) scalars(m *hw.Module, io RegisterPorts) (legal hw.Bits) {
	var each []hw.Bits
	one := func(name string, index int, out hw.Bits) {
		w := out.Width()
		ok := io.Index.Eq(hw.K(index)).And(io.Value.Slice(63, w).IsZero()).As(name + "_legal")
		r := m.Reg(name+"_q", w, 0)
		m.When(io.Write.And(ok), func() { r.Set(io.Value.Trunc(w)) })
		out.Set(r)
		each = append(each, ok)
	}
	one("slots", arch.RegSlots, io.Slots)
	one("tables", arch.RegTables, io.Tables)
	one("row_log2", arch.RegRowLog2, io.RowLog2)
	one("gpus", arch.RegGPUs, io.GPUs)
	one("scale", arch.RegScale, io.Scale)
	return hw.VecOf(each...).Pack().Any()
}

func (p Registers) bases(m *hw.Module, io RegisterPorts) (legal hw.Bits) {
	var each []hw.Bits
	group := func(name string, first int, out hw.Vec) {
		ok := io.among(first, p.GPUs, gpuGroup).And(isAligned(io.Value)).As(name + "_legal")
		r := m.DataVec(name+"_q", p.GPUs, 64)
		m.When(io.Write.And(ok), func() { r.Index(io.Index.Trunc(gpuBits(p.Params))).Set(io.Value) })
		out.Set(r)
		each = append(each, ok)
	}
	group("hot", arch.RegHot, io.Hot)
	group("pooled", arch.RegPooled, io.Pooled)
	group("grad", arch.RegGrad, io.Grad)
	group("mailboxes", arch.RegMailbox, io.Mailbox)
	return hw.VecOf(each...).Pack().Any()
}

func (p Registers) tables(m *hw.Module, io RegisterPorts) (legal hw.Bits) {
	legal = io.among(arch.RegTable, p.Tables, arrayGroup).And(isAligned(io.Value)).As("table_legal")
	mem := hw.Inst(m, "table_bases", ram.SimpleDual[hw.Bits]{Of: hw.Width(64), Depth: p.Tables})
	mem.Write.Set(io.Write.And(legal))
	mem.WAddr.Set(io.Index.Trunc(tableBits(p.Params)))
	mem.WData.Set(io.Value)
	mem.Read.Set(io.TableEnable)
	mem.RAddr.Set(io.TableRead)
	io.TableBase.Set(mem.RData)
	return legal
}

// slots keeps of each slot register {last, first, table, id of row 0}.
func (p Registers) slots(m *hw.Module, io RegisterPorts) (legal hw.Bits) {
	const tableLo, firstBit, lastBit = arch.SlotTableLo, arch.SlotFirstBit, arch.SlotLastBit
	id, tb := p.IDBits(), tableBits(p.Params)
	unused := hw.Cat(io.Value.Slice(63, lastBit+1), io.Value.Slice(tableLo-1, id))
	if tableLo+tb < firstBit {
		unused = hw.Cat(unused, io.Value.Slice(firstBit-1, tableLo+tb))
	}
	legal = io.among(arch.RegSlot, p.Params.Slots, arrayGroup).And(unused.IsZero()).As("slot_legal")

	mem := hw.Inst(m, "slot_words", ram.SimpleDual[hw.Bits]{Of: hw.Width(2 + tb + id), Depth: p.Params.Slots})
	mem.Write.Set(io.Write.And(legal))
	mem.WAddr.Set(io.Index.Trunc(slotBits(p.Params)))
	mem.WData.Set(hw.Cat(io.Value.Slice(lastBit, firstBit), io.Value.Slice(tableLo+tb-1, tableLo), io.Value.Trunc(id)))
	mem.Read.Set(io.SlotEnable)
	mem.RAddr.Set(io.SlotRead)
	io.SlotBase.Set(mem.RData.Trunc(id))
	io.SlotTable.Set(mem.RData.Slice(id+tb-1, id))
	io.SlotFirst.Set(mem.RData.Bit(id + tb))
	io.SlotLast.Set(mem.RData.Bit(id + tb + 1))
	return legal
}
