package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Command is a command as hardware.
type Command struct{ Flags, Opcode, Operand3, Operand2, Operand1 hw.Bits }

// CommandBits is the width of a packed Command.
const CommandBits = 8 + 8 + 3*64

// statusBits is the width of a completion's status.
const statusBits = 8

// Pack is {flags 8, opcode 8, operand 3, operand 2, operand 1}, most
// significant first.
func (c Command) Pack() hw.Bits {
	return hw.Cat(c.Flags, c.Opcode, c.Operand3, c.Operand2, c.Operand1)
}

// UnpackCommand takes apart what Command.Pack made.
func UnpackCommand(x hw.Bits) Command {
	return Command{Flags: x.Slice(207, 200), Opcode: x.Slice(199, 192), Operand3: x.Slice(191, 128), Operand2: x.Slice(127, 64), Operand1: x.Trunc(64)}
}

// command is the one being executed.
type command struct {
	p             arch.Params
	opcode, half  hw.Bits
	op1, op2, op3 hw.Bits
	size          hw.Bits // words that operand 2 stands for
	status        hw.Bits // 0 if the command can be executed
}

func newCommand(m *hw.Module, p arch.Params) command {
	return command{p: p, opcode: m.Data("opcode", 8), half: m.Data("half", 1),
		op1: m.Data("op1", 64), op2: m.Data("op2", 64), op3: m.Data("op3", 64),
		size: m.Data("size", inputsBits(p)+slotsBits(p)), status: m.Data("refusal", statusBits)}
}

func (c command) take(from Command) {
	c.opcode.Set(from.Opcode)
	c.half.Set(from.Flags.Bit(0))
	c.op1.Set(from.Operand1)
	c.op2.Set(from.Operand2)
	c.op3.Set(from.Operand3)
}

func op(o arch.Opcode) hw.Bits { return hw.Lit(8, uint64(o)) }

func ops(list ...arch.Opcode) []hw.Bits {
	out := make([]hw.Bits, len(list))
	for i, o := range list {
		out[i] = op(o)
	}
	return out
}

func (c command) is(o arch.Opcode) hw.Bits { return c.opcode.Eq(op(o)) }

// load is the flag of v_add: the same bit that tells the half.
func (c command) load() hw.Bits { return c.half }

// count is operand 2 as a number of inputs or entries.
func (c command) count() hw.Bits { return c.op2.Trunc(inputsBits(c.p)) }

// product is the number of words of that many inputs or entries.
func (c command) product(r RegisterPorts) hw.Bits {
	w := c.size.Width()
	each := hw.Mux(c.is(arch.Update), hw.Lit(slotsBits(c.p), entryWords), r.Slots).As("words_each")
	return c.count().Ext(w).Mul(each.Ext(w)).As("product")
}

// words is size in a command that was not refused.
func (c command) words() hw.Bits { return c.size.Resize(wordsBits(c.p)) }

// verdict is the status with which the command at hand is refused, or 0. The
// least that applies counts.
func (x *control) verdict() hw.Bits {
	c, r := x.c, x.u.regs
	ok := x.sound()
	known, legal := x.m.Wire("opcode_known", 1), x.m.Wire("operands_legal", 1)
	known.Set(hw.K(1))
	legal.Set(hw.K(1))
	x.m.Switch(c.opcode).
		Case(op(arch.Learn), func() { legal.Set(ok.batch.And(ok.address)) }).
		Case(op(arch.Classify), func() { legal.Set(ok.batch.And(ok.gpus).And(ok.address).And(ok.bitmap)) }).
		Case(op(arch.Gather), func() { legal.Set(ok.batch.And(ok.gpus).And(r.GPUs.Any()).And(ok.tables).And(ok.row)) }).
		Case(op(arch.Update), func() { legal.Set(ok.size.And(ok.gpus).And(r.GPUs.Any()).And(ok.row).And(ok.address)) }).
		Any(ops(arch.DMARead, arch.DMAWrite), func() { legal.Set(ok.row.And(ok.bytes).And(ok.address)) }).
		Case(op(arch.GPURead), func() { legal.Set(ok.row.And(ok.block)) }).
		Any(ops(arch.VAdd, arch.VMul), func() { legal.Set(ok.row) }).
		Case(op(arch.SWrite), func() { legal.Set(r.Legal.And(c.op1.Slice(63, indexBits).IsZero())) }).
		Case(op(arch.HotSet), func() { legal.Set(ok.address) }).
		Case(op(arch.Fence), func() {}).
		Default(func() { known.Set(hw.K(0)) })
	refused := hw.Mux(legal, x.conflict(), hw.Lit(statusBits, arch.StatusRange))
	return hw.Mux(known, refused, hw.Lit(statusBits, arch.StatusOpcode)).As("verdict")
}

// sound are the conditions on operands and registers.
type sound struct {
	size, batch  hw.Bits // operand 2 fits into a half: as entries, as inputs
	gpus, tables hw.Bits // the registers are in range
	row, bytes   hw.Bits // likewise; operand 2 is a row's length
	block        hw.Bits // operand 1 is a GPU, operand 2 a block

	address, bitmap hw.Bits // operand 1, operand 3 is an address of words
}

func (x *control) sound() sound {
	c, r, p := x.c, x.u.regs, x.p
	among := func(v hw.Bits, least, most int) hw.Bits { return v.Ge(hw.K(least)).And(v.Le(hw.K(most))) }
	size := among(c.size, 1, p.HalfWords()).And(c.op2.Slice(63, inputsBits(p)).IsZero()).As("size_ok")
	gpu := c.op1.Slice(63, 4).IsZero().And(c.op1.Trunc(4).Lt(hw.K(p.GPUs)))
	return sound{
		size:   size,
		batch:  size.And(among(r.Slots, LeastSlots(p), p.Slots)).As("batch_ok"),
		gpus:   r.GPUs.Le(hw.K(p.GPUs)),
		tables: r.Tables.Le(hw.K(p.Tables)),
		row:    among(r.RowLog2, minRowLog2(p), maxRowLog2(p)).As("row_ok"),
		bytes:  c.op2.Eq(hw.Lit(64, 1).Shl(r.RowLog2)),
		block:  gpu.And(c.op2.Slice(63, p.BlockBits()).IsZero()).As("block_ok"),

		address: isAligned(c.op1),
		bitmap:  isAligned(c.op3),
	}
}

// isAligned tells whether an address is that of a word.
func isAligned(address hw.Bits) hw.Bits { return address.Trunc(2).IsZero() }
