package address_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/address"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func describe(p arch.Params) hw.Generator[address.Ports] { return address.Of(p) }

func TestRegisters(t *testing.T) { dispatchtest.ForSizes(t, describe, check) }

// TestBrokenRegistersAreNoticed: check detects every fault.
func TestBrokenRegistersAreNoticed(t *testing.T) {
	require.Empty(t, dispatchtest.Survivors(t, describe, check, dispatchtest.Tiny, nil))
}

func TestRemovedResetsAreNoticed(t *testing.T) {
	p := dispatchtest.Tiny
	d, err := hw.Elaborate(describe(p))
	require.NoError(t, err)
	require.Empty(t, bench.Unreset(d, 64, func(seed uint64) error { return check(d, p, seed) }))
}

// check writes registers, resets them now and then, and reads all of them. Registers that were not
// written since the reset may have any value.
func check(d *ir.Design, p arch.Params, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	tb, model := sim.Bind[address.Ports](b.Sim, address.Of(p)), dispatch.NewRegisterModel(p)
	for range 2000 {
		if b.Rand.IntN(500) == 0 {
			b.Sim.SetReset(true)
			if err := b.Cycle(); err != nil {
				return err
			}
			b.Sim.SetReset(false)
			model = dispatch.NewRegisterModel(p)
		}
		index := dispatchtest.RandomIndex(b.Rand, p)
		value := dispatchtest.RandomValue(b.Rand, p, index)
		tb.Write.Index.Poke(index)
		tb.Write.Value.Poke(value)
		legal, write := dispatch.NewRegisterModel(p).Write(index, value), b.Rand.IntN(4) > 0
		if tb.Write.Legal.Peek() != bench.Bit(legal) {
			return fmt.Errorf("%#x to register %#x: legal is %d, want %v", value, index, tb.Write.Legal.Peek(), legal)
		}
		tb.Write.Enable.Poke(bench.Bit(write))
		if write {
			model.Write(index, value)
		}
		if err := b.Cycle(); err != nil {
			return err
		}
		tb.Write.Enable.Poke(0)
		if err := read(b, tb, model, p); err != nil {
			return fmt.Errorf("after %#x to register %#x: %w", value, index, err)
		}
	}
	return dispatchtest.Quiet(b)
}

func read(b *bench.Bench, tb address.Ports, m *dispatch.RegisterModel, p arch.Params) error {
	for _, n := range []struct {
		name string
		port hw.Bits
		want uint64
	}{{"slots", tb.Slots, uint64(m.Slots)}, {"tables", tb.Rows.Tables, uint64(m.Tables)}, {"row_log2", tb.Rows.RowLog2, uint64(m.RowLog2)},
		{"gpus", tb.Rows.GPUs, uint64(m.GPUs)}, {"scale", tb.Rows.Scale, uint64(math.Float32bits(m.Scale))}} {
		if got := n.port.Peek(); got != n.want {
			return fmt.Errorf("%s is %#x, want %#x", n.name, got, n.want)
		}
	}
	for _, n := range []struct {
		name  string
		port  hw.Vec
		want  []uint64
		first uint64
	}{{"hot", tb.Rows.Hot, m.Hot, arch.RegHot}, {"pooled", tb.Rows.Pooled, m.Pooled, arch.RegPooled},
		{"grad", tb.Rows.Grad, m.Grad, arch.RegGrad}, {"mailboxes", tb.Mailboxes, m.Mailbox, arch.RegMailbox}} {
		for g, want := range n.want {
			if got := n.port.N(g).Peek(); got != want && m.Given(n.first+uint64(g)) {
				return fmt.Errorf("%s %d is %#x, want %#x", n.name, g, got, want)
			}
		}
	}
	if err := readGiven(tb, m, p); err != nil {
		return err
	}
	return readArrays(b, tb, m, p)
}

// readGiven compares the bits that report which addresses were written.
func readGiven(tb address.Ports, m *dispatch.RegisterModel, p arch.Params) error {
	g := tb.Given
	for _, n := range []struct {
		name string
		port hw.Bits
		want bool
	}{{"slots", g.Slots, m.SlotsGiven()}, {"tables of slots", g.SlotTables, m.SlotTablesGiven()}, {"hot", g.Hot, m.GPUsGiven(arch.RegHot)},
		{"pooled", g.Pooled, m.GPUsGiven(arch.RegPooled)}, {"grad", g.Grad, m.GPUsGiven(arch.RegGrad)}, {"mailboxes", g.Mailboxes, m.GPUsGiven(arch.RegMailbox)}} {
		if got := n.port.Peek() == 1; got != n.want {
			return fmt.Errorf("%s are given: %v, want %v", n.name, got, n.want)
		}
	}
	for _, n := range []struct {
		name  string
		port  hw.Bits
		first uint64
		n     int
	}{{"tables", g.Tables, arch.RegTable, p.Tables}, {"hot bases", g.HotOf, arch.RegHot, p.GPUs}} {
		for i := range n.n {
			if got, want := n.port.Peek()>>i&1 == 1, m.Given(n.first+uint64(i)); got != want {
				return fmt.Errorf("%s: %d is given: %v, want %v", n.name, i, got, want)
			}
		}
	}
	return nil
}

// readArrays reads the register of a table and the register of a slot, and checks the values a
// cycle later.
func readArrays(b *bench.Bench, tb address.Ports, m *dispatch.RegisterModel, p arch.Params) error {
	table, slot := b.Rand.IntN(p.Tables), b.Rand.IntN(p.Slots)
	tb.Table.Number.Poke(uint64(table))
	tb.Slot.Number.Poke(uint64(slot))
	tb.Table.Enable.Poke(1)
	tb.Slot.Enable.Poke(1)
	if err := b.Cycle(); err != nil {
		return err
	}
	tb.Table.Enable.Poke(0)
	tb.Slot.Enable.Poke(0)
	tb.Table.Number.Poke(b.Rand.Uint64N(uint64(p.Tables)))
	tb.Slot.Number.Poke(b.Rand.Uint64N(uint64(p.Slots)))
	if err := b.Cycle(); err != nil {
		return err
	}
	x := tb.Slot.Slot
	got := arch.Slot{Base: uint32(x.Base.Peek()), Table: int(x.Table.Peek()), First: x.First.Peek() == 1, Last: x.Last.Peek() == 1}
	if base := tb.Table.Base.Peek(); base != m.TableBase[table] && m.Given(arch.RegTable+uint64(table)) {
		return fmt.Errorf("table %d is %#x, want %#x", table, base, m.TableBase[table])
	}
	if got != m.SlotTable[slot] && m.Given(arch.RegSlot+uint64(slot)) {
		return fmt.Errorf("slot %d is %+v, want %+v", slot, got, m.SlotTable[slot])
	}
	return nil
}
