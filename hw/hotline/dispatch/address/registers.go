package address

import (
	"math"
	"math/bits"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// Registers describes the address registers: everything that s_wr writes.
type Registers struct {
	sizes.SlotNumbers
	sizes.TableNumbers
	sizes.GPUNumbers
	IDBits       int `doc:"row id" unit:"bits"`
	LeastSlots   int `doc:"least lookups per sample"`
	LeastRowLog2 int `doc:"log2 of the bytes of the shortest row"`
	MostRowLog2  int `doc:"log2 of the bytes of the longest row"`
}

// Of returns the registers of an accelerator.
func Of(p arch.Params) Registers {
	return Registers{sizes.SlotNumbers{Slots: p.Slots}, sizes.TableNumbers{Tables: p.Tables}, sizes.GPUNumbers{GPUs: p.GPUs}, p.IDBits(),
		sizes.HalvesOf(p).LeastSlots(), sizes.LeastRowLog2(p.Stream()), sizes.MostRowLog2(p.VectorValues)}
}

// Ports are the ports of Registers.
type Ports struct {
	Write     Write     `hw:"in" doc:"from s_wr"`
	Slots     hw.Bits   `hw:"out,SlotCountBits" doc:"lookups per input, L"`
	Rows      Rows      `hw:"out,inline"`
	Mailboxes hw.Vec    `hw:"out,64,len=GPUs" doc:"where the GPUs want the popularity bitmap"`
	Given     Given     `hw:"out" doc:"what has been written since the reset"`
	Table     TableRead `hw:"in" doc:"reads of base addresses"`
	Slot      SlotRead  `hw:"in" doc:"reads of slot registers"`
}

// Sizes of the groups of registers in the numbering of package arch.
const (
	ArrayGroup = 0x100 // tables, slots
	gpuGroup   = 8     // base addresses per GPU
)

// limit is a bound of a value, named like the parameter that it comes from.
type limit struct {
	name  string
	value int
}

func (l limit) bits() hw.Bits { return hw.Named(l.name, l.value) }

// ModuleName returns the name of the module.
func (Registers) ModuleName() string { return "address_registers" }

// Build describes the registers.
func (p Registers) Build(m *hw.Module) Ports {
	m.Doc("Address registers: base addresses, slot descriptions and sizes, written by s_wr.")
	io := hw.Ports[Ports](m)
	legal := hw.VecOf(p.numbers(m, io), p.bases(m, io), p.tables(m, io), p.slots(m, io))
	io.Write.Legal.Set(legal.Pack().Any())
	return io
}

// among reports whether Index is one of the n registers that start at first. They belong to a group
// of group registers, of which n are in use.
func (w Write) among(first int, n limit, group int) hw.Bits {
	low := arch.Log2(group)
	inGroup := w.Index.Slice(IndexBits-1, low).Eq(Group(first, group))
	if n.value == group {
		return inGroup
	}
	return inGroup.And(w.Index.Trunc(low).Lt(n.bits()))
}

// numbers describes the registers that are not part of an array.
func (p Registers) numbers(m *hw.Module, io Ports) (legal hw.Bits) {
	var each []hw.Bits
	one := func(name string, index int, out hw.Bits, least, most limit) {
		w := out.Width()
		ok := io.Write.Index.Eq(Number(index)).And(among(io.Write.Value, least, most)).As(name + "_legal")
		r := m.Reg(name+"_q", w, 0)
		m.When(io.Write.Enable.And(ok), func() { r.Set(io.Write.Value.Trunc(w)) })
		out.Set(r)
		each = append(each, ok)
	}
	one("slots", arch.RegSlots, io.Slots, limit{"least_slots", p.LeastSlots}, limit{"slots", p.Slots})
	one("tables", arch.RegTables, io.Rows.Tables, limit{}, limit{"tables", p.Tables})
	one("row_log2", arch.RegRowLog2, io.Rows.RowLog2, limit{"least_row_log2", p.LeastRowLog2}, limit{"most_row_log2", p.MostRowLog2})
	one("gpus", arch.RegGPUs, io.Rows.GPUs, limit{}, limit{"gpus", p.GPUs})
	one("scale", arch.RegScale, io.Rows.Scale, limit{}, limit{"scale", math.MaxUint32})
	return hw.VecOf(each...).Pack().Any()
}

// among reports whether least <= x <= most.
func among(x hw.Bits, least, most limit) hw.Bits {
	w := bits.Len(uint(most.value))
	ok := x.Slice(x.Width()-1, w).IsZero()
	if most.value != 1<<w-1 {
		ok = ok.And(x.Trunc(w).Le(most.bits()))
	}
	if least.value > 0 {
		ok = ok.And(x.Trunc(w).Ge(least.bits()))
	}
	return ok
}

// inUse reports whether the bits of the first n registers of a group are all 1.
func inUse(given, n hw.Bits) hw.Bits { return given.Or(hw.Ones(given.Width()).Shl(n)).All() }

// bases describes the base addresses per GPU.
func (p Registers) bases(m *hw.Module, io Ports) (legal hw.Bits) {
	var each []hw.Bits
	group := func(name string, first int, out hw.Vec) (given hw.Bits) {
		ok := io.Write.among(first, limit{"gpu_registers", p.GPUs}, gpuGroup).And(IsAligned(io.Write.Value)).As(name + "_legal")
		r, set := m.DataVec(name+"_q", p.GPUs, 64), m.RegVec(name+"_given", p.GPUs, 1, 0)
		m.When(io.Write.Enable.And(ok), func() {
			r.Index(io.Write.Index.Trunc(p.GPUBits())).Set(io.Write.Value)
			set.Index(io.Write.Index.Trunc(p.GPUBits())).Set(hw.K(1))
		})
		out.Set(r)
		each = append(each, ok)
		return set.Pack()
	}
	hot, gpus := group("hot", arch.RegHot, io.Rows.Hot), io.Rows.GPUs
	io.Given.HotOf.Set(hot)
	io.Given.Hot.Set(inUse(hot, gpus))
	io.Given.Pooled.Set(inUse(group("pooled", arch.RegPooled, io.Rows.Pooled), gpus))
	io.Given.Grad.Set(inUse(group("grad", arch.RegGrad, io.Rows.Grad), gpus))
	io.Given.Mailboxes.Set(inUse(group("mailboxes", arch.RegMailbox, io.Mailboxes), gpus))
	return hw.VecOf(each...).Pack().Any()
}

// tables describes the addresses of the tables.
func (p Registers) tables(m *hw.Module, io Ports) (legal hw.Bits) {
	legal = io.Write.among(arch.RegTable, limit{"table_registers", p.Tables}, ArrayGroup).And(IsAligned(io.Write.Value)).As("table_legal")
	mem := hw.Inst(m, "table_bases", ram.SimpleDual[hw.Bits]{Of: hw.Width(64), Depth: p.Tables})
	number := io.Write.Index.Trunc(p.TableBits())
	given := m.RegVec("tables_given", p.Tables, 1, 0)
	m.When(io.Write.Enable.And(legal), func() { given.Index(number).Set(hw.K(1)) })
	io.Given.Tables.Set(given.Pack())
	mem.Write.Set(io.Write.Enable.And(legal))
	mem.WAddr.Set(number)
	mem.WData.Set(io.Write.Value)
	mem.Read.Set(io.Table.Enable)
	mem.RAddr.Set(io.Table.Number)
	io.Table.Base.Set(mem.RData)
	return legal
}

// slots describes the registers of the lookup slots.
func (p Registers) slots(m *hw.Module, io Ports) (legal hw.Bits) {
	const tableLo, firstBit, lastBit = arch.SlotTableLo, arch.SlotFirstBit, arch.SlotLastBit
	value, tableHi := io.Write.Value, tableLo+p.TableBits()
	unused := hw.Cat(value.Slice(63, lastBit+1), value.Slice(tableLo-1, p.IDBits))
	if tableHi < firstBit {
		unused = hw.Cat(unused, value.Slice(firstBit-1, tableHi))
	}
	legal = io.Write.among(arch.RegSlot, limit{"slot_registers", p.Slots}, ArrayGroup).And(unused.IsZero()).As("slot_legal")
	number, table := io.Write.Index.Trunc(p.SlotBits()), value.Slice(tableHi-1, tableLo)
	given, named := m.RegVec("slots_given", p.Slots, 1, 0), m.RegVec("tables_named", p.Tables, 1, 0)
	m.When(io.Write.Enable.And(legal), func() {
		given.Index(number).Set(hw.K(1))
		named.Index(table).Set(hw.K(1))
	})
	io.Given.Slots.Set(inUse(given.Pack(), io.Slots))
	io.Given.SlotTables.Set(named.Pack().And(io.Given.Tables.Not()).IsZero())

	mem := hw.Inst(m, "slot_words", ram.SimpleDual[Slot]{Of: hw.Of[Slot](p), Depth: p.Slots})
	mem.Write.Set(io.Write.Enable.And(legal))
	mem.WAddr.Set(number)
	hw.Set(mem.WData, Slot{Last: value.Bit(lastBit), First: value.Bit(firstBit), Table: table, Base: value.Trunc(p.IDBits)})
	mem.Read.Set(io.Slot.Enable)
	mem.RAddr.Set(io.Slot.Number)
	hw.Set(io.Slot.Slot, mem.RData)
	return legal
}
