package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/address"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
)

// Command is a command of the ring as a hardware bundle.
type Command struct {
	Flags    hw.Bits `hw:"8"`
	Opcode   hw.Enum[arch.Opcode]
	Operand3 hw.Bits `hw:"64"`
	Operand2 hw.Bits `hw:"64"`
	Operand1 hw.Bits `hw:"64"`
}

// command holds the command that is being executed.
type command struct {
	m *hw.Module
	p Dispatch
	taken
}

// taken holds the registers that keep the fields of a command.
type taken struct {
	Opcode   hw.Enum[arch.Opcode]
	Half     hw.Bits              `doc:"of the eDRAM; for v_add, load"`
	Operand1 hw.Bits              `hw:"64"`
	Operand2 hw.Bits              `hw:"64"`
	Operand3 hw.Bits              `hw:"64"`
	Size     hw.Bits              `hw:"SizeBits" doc:"words that operand 2 stands for"`
	Refusal  hw.Enum[arch.Status] `doc:"ok if the command can be executed"`
}

// SizeBits returns the width of the number of words of all inputs or list entries.
func (p Dispatch) SizeBits() int { return p.InputsBits() + p.SlotCountBits() }

func newCommand(m *hw.Module, p Dispatch) command {
	return command{m, p, hw.Data[taken](m, "taken")}
}

func (c command) take(from Command) {
	c.Opcode.Set(from.Opcode)
	c.Half.Set(from.Flags.Bit(0))
	c.Operand1.Set(from.Operand1)
	c.Operand2.Set(from.Operand2)
	c.Operand3.Set(from.Operand3)
}

// cases converts opcodes to the values of a case.
func (c command) cases(list ...arch.Opcode) []hw.Bits {
	out := make([]hw.Bits, len(list))
	for i, o := range list {
		out[i] = hw.Value(c.m, o).Bits()
	}
	return out
}

func (c command) is(o arch.Opcode) hw.Bits { return c.Opcode.Is(o) }

// count returns operand 2 as a number of inputs or list entries.
func (c command) count() hw.Bits { return c.Operand2.Trunc(c.p.InputsBits()) }

// product returns the number of words of these inputs or list entries.
func (c command) product(r address.Ports) hw.Bits {
	w := c.Size.Width()
	each := hw.Mux(c.is(arch.Update), hw.Named("entry_words", sizes.EntryWords), r.Slots).As("words_each")
	return c.count().Ext(w).Mul(each.Ext(w)).As("product")
}

// words returns Size, which fits into WordsBits unless the command was refused.
func (c command) words() hw.Bits { return c.Size.Resize(c.p.WordsBits()) }
