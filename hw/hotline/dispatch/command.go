package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Command is a command as hardware.
type Command struct {
	Flags    hw.Bits `hw:"8"`
	Opcode   hw.Enum[arch.Opcode]
	Operand3 hw.Bits `hw:"64"`
	Operand2 hw.Bits `hw:"64"`
	Operand1 hw.Bits `hw:"64"`
}

// command is the one being executed.
type command struct {
	m             *hw.Module
	p             arch.Params
	opcode        hw.Enum[arch.Opcode]
	half          hw.Bits
	op1, op2, op3 hw.Bits
	size          hw.Bits              // words that operand 2 stands for
	status        hw.Enum[arch.Status] // ok if the command can be executed
}

func newCommand(m *hw.Module, p arch.Params) command {
	return command{m: m, p: p, opcode: hw.Data[hw.Enum[arch.Opcode]](m, "opcode"), half: m.Data("half", 1),
		op1: m.Data("op1", 64), op2: m.Data("op2", 64), op3: m.Data("op3", 64),
		size: m.Data("size", inputsBits(p)+slotsBits(p)), status: hw.Data[hw.Enum[arch.Status]](m, "refusal")}
}

func (c command) take(from Command) {
	c.opcode.Set(from.Opcode)
	c.half.Set(from.Flags.Bit(0))
	c.op1.Set(from.Operand1)
	c.op2.Set(from.Operand2)
	c.op3.Set(from.Operand3)
}

// cases are opcodes as the values of a case.
func (c command) cases(list ...arch.Opcode) []hw.Bits {
	out := make([]hw.Bits, len(list))
	for i, o := range list {
		out[i] = hw.Value(c.m, o).Bits()
	}
	return out
}

func (c command) is(o arch.Opcode) hw.Bits { return c.opcode.Is(o) }

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
func (x *control) verdict() hw.Enum[arch.Status] {
	c, r := x.c, x.u.regs
	ok := x.sound()
	known, legal := x.m.Wire("opcode_known", 1), x.m.Wire("operands_legal", 1)
	known.Set(hw.K(1))
	legal.Set(hw.K(1))
	x.m.Switch(c.opcode.Bits()).
		Any(c.cases(arch.Learn), func() { legal.Set(ok.batch.And(ok.address)) }).
		Any(c.cases(arch.Classify), func() { legal.Set(ok.batch.And(ok.gpus).And(ok.address).And(ok.bitmap)) }).
		Any(c.cases(arch.Gather), func() { legal.Set(ok.batch.And(ok.gpus).And(r.GPUs.Any()).And(ok.tables).And(ok.row)) }).
		Any(c.cases(arch.Update), func() { legal.Set(ok.size.And(ok.gpus).And(r.GPUs.Any()).And(ok.row).And(ok.address)) }).
		Any(c.cases(arch.DMARead, arch.DMAWrite), func() { legal.Set(ok.row.And(ok.bytes).And(ok.address)) }).
		Any(c.cases(arch.GPURead), func() { legal.Set(ok.row.And(ok.block)) }).
		Any(c.cases(arch.VAdd, arch.VMul), func() { legal.Set(ok.row) }).
		Any(c.cases(arch.SWrite), func() { legal.Set(r.Legal.And(c.op1.Slice(63, indexBits).IsZero())) }).
		Any(c.cases(arch.HotSet), func() { legal.Set(ok.address) }).
		Any(c.cases(arch.Fence), func() {}).
		Default(func() { known.Set(hw.K(0)) })
	refused := hw.Mux(legal, x.conflict(), hw.Value(x.m, arch.StatusRange))
	return hw.Mux(known, refused, hw.Value(x.m, arch.StatusOpcode)).As("verdict")
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
