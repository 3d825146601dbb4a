package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/address"
)

// verdict returns the status with which the current command is refused, or 0. If several statuses
// apply, the numerically smallest wins.
func (x *control) verdict() hw.Enum[arch.Status] {
	c, r := x.c, x.u.regs
	ok := x.sound()
	known, legal := x.m.Wire("opcode_known", 1), x.m.Wire("operands_legal", 1)
	known.Set(hw.K(1))
	legal.Set(hw.K(1))
	x.m.Switch(c.Opcode.Bits()).
		Any(c.cases(arch.Learn), func() { legal.Set(ok.size.And(ok.address)) }).
		Any(c.cases(arch.Classify), func() { legal.Set(ok.size.And(ok.address).And(ok.bitmap)) }).
		Any(c.cases(arch.Gather), func() { legal.Set(ok.size.And(ok.gpus).And(ok.row)) }).
		Any(c.cases(arch.Update), func() { legal.Set(ok.size.And(ok.gpus).And(ok.row).And(ok.address)) }).
		Any(c.cases(arch.DMARead, arch.DMAWrite), func() { legal.Set(ok.row.And(ok.bytes).And(ok.address)) }).
		Any(c.cases(arch.GPURead), func() { legal.Set(ok.row.And(ok.block)) }).
		Any(c.cases(arch.VAdd, arch.VMul), func() { legal.Set(ok.row) }).
		Any(c.cases(arch.SWrite), func() { legal.Set(r.Write.Legal.And(c.Operand1.Slice(63, address.IndexBits).IsZero())) }).
		Any(c.cases(arch.HotSet), func() { legal.Set(ok.address) }).
		Any(c.cases(arch.Fence), func() {}).
		Default(func() { known.Set(hw.K(0)) })
	refused := hw.Mux(legal, x.conflict(), hw.Value(x.m, arch.StatusRange))
	return hw.Mux(known, refused, hw.Value(x.m, arch.StatusOpcode)).As("verdict")
}

// sound holds the conditions on operands and registers. A register that was not written since the
// reset is 0; a written register is in its range.
type sound struct {
	size  hw.Bits // operand 2 is a number of inputs, or of list entries, that fits into a half
	gpus  hw.Bits // at least one GPU is configured
	row   hw.Bits // the row length is configured
	bytes hw.Bits // operand 2 is the length of a row
	block hw.Bits // operand 1 is a GPU number, operand 2 a block number

	address, bitmap hw.Bits // operand 1 (operand 3) is the address of a word
}

func (x *control) sound() sound {
	c, r, p := x.c, x.u.regs, x.p
	fits := c.Size.Any().And(c.Size.Le(hw.Named("half_words", p.HalfWords)))
	gpu := c.Operand1.Slice(63, 4).IsZero().And(c.Operand1.Trunc(4).Lt(hw.Named("gpus", p.GPUs)))
	return sound{
		size:  fits.And(c.Operand2.Slice(63, p.InputsBits()).IsZero()).As("size_ok"),
		gpus:  r.Rows.GPUs.Any(),
		row:   r.Rows.RowLog2.Any(),
		bytes: c.Operand2.Eq(hw.Lit(64, 1).Shl(r.Rows.RowLog2)),
		block: gpu.And(c.Operand2.Slice(63, p.BlockBits()).IsZero()).As("block_ok"),

		address: address.IsAligned(c.Operand1),
		bitmap:  address.IsAligned(c.Operand3),
	}
}
