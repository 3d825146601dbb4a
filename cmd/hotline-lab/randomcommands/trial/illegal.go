package trial

import (
	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/oracle"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// illegal queues an invalid command. Most of its operands are only just out of range.
func (g *program) illegal() {
	pick := func(v ...uint64) uint64 { return v[g.rng.IntN(len(v))] }
	huge := g.rng.Uint64() | 1<<(32+g.rng.IntN(32))
	odd := uint64(1 + g.rng.IntN(3))
	most := uint64(g.p.HalfWords()) / max(g.l, 1)
	inputs := pick(0, most+1, most+g.l+1, huge, 1<<32, 1<<62)
	switch half := g.flip(); g.rng.IntN(13) {
	case 0:
		g.add(g.command(g.rng.IntN(256), half, g.rng.Uint64(), g.rng.Uint64(), g.rng.Uint64()))
	case 1:
		g.add(g.command(oracle.DMARead, 0, g.region(inTables)+odd, g.row))
	case 2:
		g.add(g.command(oracle.DMARead, 0, g.region(inTables), pick(g.row+4, g.row-4, g.row+1, g.row-1, 2*g.row, g.row/2, 0, huge, g.row|1<<32)))
	case 3:
		g.add(g.command(oracle.DMAWrite, 0, g.region(inHost)+pick(0, odd), pick(g.row+4, g.row-4, 0, huge, g.row)))
	case 4:
		g.add(g.command(oracle.GPURead, 0, pick(uint64(g.p.GPUs), 0, huge, 1<<32), pick(uint64(g.p.Blocks), 0, huge, 1<<32)))
	case 5:
		g.add(g.command(oracle.Learn, half, g.words(1)+pick(0, odd), inputs))
	case 6:
		g.add(g.command(oracle.Classify, half, g.words(1), inputs, g.region(inHost)))
	case 7:
		g.add(g.command(oracle.Classify, half, g.words(1)+pick(0, odd), 1, g.region(inHost)+odd))
	case 8:
		g.add(g.command(oracle.Gather, half, 0, pick(inputs, uint64(g.held[half])+1)))
	case 9:
		least := uint64(g.p.HalfWords() / 2)
		g.add(g.command(oracle.Update, half, g.region(inLists)+pick(0, odd), pick(0, least+1, huge, 1<<32)))
	case 10:
		g.add(g.command(oracle.HotSet, 0, g.region(inHost)+odd))
	default:
		g.add(g.wrongRegister())
	}
}

// wrongRegister returns a write to a register that does not exist, or of a value that is out of
// range.
func (g *program) wrongRegister() oracle.Command {
	p := g.p
	pick := func(v ...uint64) uint64 { return v[g.rng.IntN(len(v))] }
	low, high := arch.Log2(p.StreamBytes()), arch.Log2(4*p.VectorValues)
	wide := func(greatest int) uint64 {
		return pick(uint64(greatest)+1, 1<<(arch.Log2(greatest)+1+g.rng.IntN(8)), uint64(greatest)|1<<(32+g.rng.IntN(32)))
	}
	switch g.rng.IntN(8) {
	case 0:
		none := []uint64{uint64(p.Tables), 0x100 + uint64(p.Slots), 0x225, g.rng.Uint64(), 0x222 | 1<<32, 0x1000}
		if n := uint64(p.GPUs); n < 8 {
			none = append(none, 0x200+n, 0x208+n, 0x210+n, 0x218+n)
		}
		return g.write(pick(none...), g.region(inTables))
	case 1:
		return g.write(pick(0, 0x200, 0x208, 0x210, 0x218), g.region(inTables)+1+g.rng.Uint64N(3))
	case 2:
		bits := pick(1<<(42+g.rng.IntN(22)), 1<<(p.IDBits()+g.rng.IntN(32-p.IDBits())), uint64(p.Tables)<<32)
		return g.write(oracle.RegSlot+g.rng.Uint64N(uint64(p.Slots)), bits)
	case 3:
		return g.write(oracle.RegSlots, pick(0, uint64(p.Engines/4-1), wide(p.Slots)))
	case 4:
		return g.write(oracle.RegTables, wide(p.Tables))
	case 5:
		return g.write(oracle.RegRowLog2, pick(0, uint64(low-1), wide(high)))
	case 6:
		return g.write(oracle.RegGPUs, wide(p.GPUs))
	}
	return g.write(oracle.RegScale, 1<<(32+g.rng.IntN(32)))
}
