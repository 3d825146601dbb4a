package address

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// owned proves the registers correct under arbitrary writes and reads, from any state before the
// reset. It follows one table, one slot and one GPU, chosen by the solver.
type owned struct{ Registers }

// ModuleName returns the name of the proof.
func (owned) ModuleName() string { return "owned" }

// followed is a register that the proof follows: whether it was written since the reset, and its
// last value.
type followed struct {
	index, given, value hw.Bits
}

// follow follows one of the n registers that start at first.
func follow(m *hw.Module, name string, w Write, first, n, width int) followed {
	index := m.Data(name+"_index", IndexBits)
	index.Set(index)
	m.Assume(index.Ge(hw.K(first)).And(index.Lt(hw.K(first+n))), name+": the register is of this kind")
	given, value := m.Reg(name+"_written", 1, 0), m.Data(name+"_value", width)
	m.When(w.Enable.And(w.Legal).And(w.Index.Eq(index)), func() {
		given.Set(hw.K(1))
		value.Set(w.Value.Trunc(width))
	})
	return followed{index, given, value}
}

// followedBits is the number of bits of an address that the proof checks.
const followedBits = 4

// implies returns a → b.
func implies(a, b hw.Bits) hw.Bits { return a.Not().Or(b) }

func (p owned) Build(m *hw.Module) Ports {
	io := hw.Ports[Ports](m)
	regs := hw.Inst(m, "registers", p.Registers)
	hw.Connect(regs.Write, io.Write)
	hw.Connect(regs.Table, io.Table)
	hw.Connect(regs.Slot, io.Slot)
	io.Slots.Set(regs.Slots)
	hw.Set(io.Rows, regs.Rows)
	io.Mailboxes.Set(regs.Mailboxes)
	hw.Set(io.Given, regs.Given)

	tables, slots := follow(m, "table", io.Write, arch.RegTable, p.Tables, followedBits), follow(m, "slot", io.Write, arch.RegSlot, p.Slots, 64)
	table, slot := tables.index.Trunc(p.TableBits()), slots.index.Trunc(p.SlotBits())
	m.Assert(io.Given.Tables.Unpack(1).Index(table).Eq(tables.given), "a table has an address if that was written since the reset")
	was, base := m.Reg("followed_read", 1, 0), m.Data("followed_base", followedBits)
	m.When(io.Table.Enable, func() {
		was.Set(io.Table.Number.Eq(table).And(tables.given))
		base.Set(tables.value)
	})
	m.Assert(implies(was, io.Table.Base.Trunc(followedBits).Eq(base)), "the address of a table is what was written")
	inUse := slot.Ext(io.Slots.Width()).Lt(io.Slots)
	m.Assert(implies(io.Given.Slots.And(inUse), slots.given), "a slot in use was written since the reset")
	named := slots.value.Slice(arch.SlotTableLo+p.TableBits()-1, arch.SlotTableLo).Eq(table)
	m.Assert(implies(io.Given.SlotTables.And(slots.given).And(named), tables.given), "the table of a slot was written since the reset")
	for _, group := range []struct {
		name  string
		first int
		all   hw.Bits
	}{{"hot", arch.RegHot, io.Given.Hot}, {"pooled", arch.RegPooled, io.Given.Pooled}, {"grad", arch.RegGrad, io.Given.Grad}, {"mailbox", arch.RegMailbox, io.Given.Mailboxes}} {
		f := follow(m, group.name, io.Write, group.first, p.GPUs, 1)
		gpu := f.index.Trunc(p.GPUBits())
		used := gpu.Ext(io.Rows.GPUs.Width()).Lt(io.Rows.GPUs)
		m.Assert(implies(group.all.And(used), f.given), group.name+": a base in use was written since the reset")
		if group.first == arch.RegHot {
			m.Assert(io.Given.HotOf.Unpack(1).Index(gpu).Eq(f.given), "a GPU has a hot table if that was written since the reset")
		}
	}
	return io
}

func TestFormal(t *testing.T) {
	p := owned{Registers{sizes.SlotNumbers{Slots: 2}, sizes.TableNumbers{Tables: 2}, sizes.GPUNumbers{GPUs: 2}, 12, 1, 4, 7}}
	elaborated := func() *ir.Design {
		d, err := hw.Elaborate(p)
		require.NoError(t, err)
		return d
	}
	formal.Holds(t, elaborated())
	for register, text := range map[string]string{
		"tables_given": "a table has an address if that was written since the reset", "slots_given": "a slot in use was written since the reset",
		"grad_given": "grad: a base in use was written since the reset",
	} {
		d := elaborated()
		for _, m := range d.Modules {
			m.Body.Walk(func(s *ir.Scope) {
				for _, g := range s.Signals {
					if g.Name == register {
						g.HasReset = false
					}
				}
			})
		}
		formal.Fails(t, d, text)
	}
}
