package dispatch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

func describeRegisters(p arch.Params) hw.Generator[RegisterPorts] { return Registers{p} }

func TestRegisters(t *testing.T) { forSizes(t, describeRegisters, checkRegisters) }

// randomIndex is a register number, mostly of a register that exists.
func randomIndex(r *rand.Rand, p arch.Params) uint64 {
	switch r.IntN(4) {
	case 0:
		return arch.RegTable + uint64(r.IntN(p.Tables+1))
	case 1:
		return arch.RegSlot + uint64(r.IntN(p.Slots+1))
	case 2:
		return arch.RegHot + uint64(r.IntN(arch.RegCount+2-arch.RegHot))
	}
	return r.Uint64N(1 << indexBits)
}

// randomValue is a value for a register, sometimes too large for it.
func randomValue(r *rand.Rand, p arch.Params, index uint64) uint64 {
	width := 64
	switch {
	case r.IntN(8) == 0:
	case index >= arch.RegSlot && index < arch.RegHot:
		id, table := r.Uint64()>>(64-p.IDBits()), r.Uint64N(uint64(p.Tables))
		return id | table<<arch.SlotTableLo | r.Uint64N(4)<<arch.SlotFirstBit | r.Uint64()&(1<<r.IntN(64))&-uint64(r.IntN(2))
	case index == arch.RegScale:
		width = 32 + r.IntN(2)
	case index >= arch.RegSlots:
		width = 1 + r.IntN(10)
	}
	v := r.Uint64() >> (64 - width)
	if base := index < arch.RegSlot || index >= arch.RegHot && index < arch.RegSlots; base && r.IntN(8) > 0 {
		v &^= 3
	}
	return v
}

// clearRegisters writes 0 to the registers that have no reset.
func clearRegisters(b *bench.Bench, pin pins, p arch.Params) error {
	pin.set("value", 0)
	pin.set("write", 1)
	for _, group := range []struct{ first, n int }{{arch.RegTable, p.Tables}, {arch.RegSlot, p.Slots},
		{arch.RegHot, p.GPUs}, {arch.RegPooled, p.GPUs}, {arch.RegGrad, p.GPUs}, {arch.RegMailbox, p.GPUs}} {
		for i := range group.n {
			pin.set("index", uint64(group.first+i))
			if err := b.Cycle(); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkRegisters writes registers and reads all there are.
func checkRegisters(d *ir.Design, p arch.Params, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	pin, model := pinsOf(b), NewRegisterModel(p)
	if err := clearRegisters(b, pin, p); err != nil {
		return err
	}
	for range 1500 {
		index := randomIndex(b.Rand, p)
		value := randomValue(b.Rand, p, index)
		pin.set("index", index)
		pin.set("value", value)
		legal, write := model.legal(index, value), b.Rand.IntN(4) > 0
		if pin["legal"].Bool() != legal {
			return fmt.Errorf("%#x to register %#x: legal is %v, want %v", value, index, pin["legal"].Bool(), legal)
		}
		pin["write"].SetBool(write)
		if write {
			model.Write(index, value)
		}
		if err := b.Cycle(); err != nil {
			return err
		}
		pin["write"].SetBool(false)
		if err := readRegisters(b, pin, model, p); err != nil {
			return fmt.Errorf("after %#x to register %#x: %w", value, index, err)
		}
	}
	return quiet(b)
}

// legal asks a copy whether it can be written.
func (r *RegisterModel) legal(index, value uint64) bool {
	return NewRegisterModel(r.p).Write(index, value)
}

func readRegisters(b *bench.Bench, pin pins, m *RegisterModel, p arch.Params) error {
	for name, want := range map[string]uint64{"slots": uint64(m.Slots), "tables": uint64(m.Tables), "row_log2": uint64(m.RowLog2),
		"gpus": uint64(m.GPUs), "scale": uint64(math.Float32bits(m.Scale))} {
		if got := pin.get(name); got != want {
			return fmt.Errorf("%s is %#x, want %#x", name, got, want)
		}
	}
	for name, want := range map[string][]uint64{"hot": m.Hot, "pooled": m.Pooled, "grad": m.Grad, "mailboxes": m.Mailbox} {
		for g := range want {
			if got := pin.lane(name, g, 64); got != want[g] {
				return fmt.Errorf("%s %d is %#x, want %#x", name, g, got, want[g])
			}
		}
	}
	table, slot := b.Rand.IntN(p.Tables), b.Rand.IntN(p.Slots)
	pin.set("table_read", uint64(table))
	pin.set("slot_read", uint64(slot))
	pin.set("table_enable", 1)
	pin.set("slot_enable", 1)
	if err := b.Cycle(); err != nil {
		return err
	}
	pin.set("table_enable", 0)
	pin.set("slot_enable", 0)
	pin.set("table_read", b.Rand.Uint64N(uint64(p.Tables)))
	pin.set("slot_read", b.Rand.Uint64N(uint64(p.Slots)))
	if err := b.Cycle(); err != nil {
		return err
	}
	got := arch.Slot{Base: uint32(pin.get("slot_base")), Table: int(pin.get("slot_table")), First: pin["slot_first"].Bool(), Last: pin["slot_last"].Bool()}
	if base := pin.get("table_base"); base != m.TableBase[table] || got != m.SlotTable[slot] {
		return fmt.Errorf("table %d is %#x, slot %d %+v, want %#x, %+v", table, base, slot, got, m.TableBase[table], m.SlotTable[slot])
	}
	return nil
}
