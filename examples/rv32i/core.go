// Package rv32i is a core for the 40 instructions of RV32I. Each instruction takes two cycles. The
// core has one memory for instructions and data.
package rv32i

import "github.com/hotline-rtl/hotline/hw"

// Core has no parameters.
type Core struct{}

// Memory is the core's interface to its memory, which answers in the same cycle.
type Memory struct {
	Address hw.Bits `hw:"32"`
	Write   hw.Bits `hw:"4" doc:"bytes that are written"`
	Data    hw.Bits `hw:"32"`
	Word    hw.Bits `hw:"back,32"`
}

// Ports are the ports of Core.
type Ports struct {
	Memory Memory  `hw:"out"`
	Halted hw.Bits `hw:"out" doc:"by ecall, ebreak, or what is no instruction"`
}

// Instruction is the layout of an instruction word.
type Instruction struct {
	Funct7 hw.Bits `hw:"7"`
	RS2    hw.Bits `hw:"5"`
	RS1    hw.Bits `hw:"5"`
	Funct3 hw.Bits `hw:"3"`
	RD     hw.Bits `hw:"5"`
	Opcode hw.Enum[Opcode]
}

// core contains the signals that the states share.
type core struct {
	m                    *hw.Module
	io                   Ports
	in                   Instruction
	pc, next             hw.Bits
	rs1, rs2             hw.Bits // values of the registers
	result, writes, halt hw.Bits
	imm                  immediates
}

// immediates are the constants in an instruction, by format.
type immediates struct{ i, s, b, u, j hw.Bits }

// Build describes the core.
func (Core) Build(m *hw.Module) Ports {
	m.Doc("RV32I core, two cycles an instruction.")
	io := hw.Ports[Ports](m)
	word, pc := m.Data("word", 32), m.Reg("pc", 32, 0)
	registers := m.Mem("x", 32, 32)
	in := hw.Unpack[Instruction](m, word)
	read := func(n hw.Bits) hw.Bits { return hw.Mux(n.Any(), registers.Read(n), hw.K(0)) }
	c := &core{m: m, io: io, in: in, pc: pc, next: m.Wire("next_pc", 32), rs1: read(in.RS1).As("rs1"), rs2: read(in.RS2).As("rs2"),
		result: m.Wire("result", 32), writes: m.Wire("writes", 1), halt: m.Wire("halt", 1), imm: split(word)}

	st := hw.FSM[struct{ Fetch, Execute, Halt hw.State }](m, "state")
	io.Halted.Set(st.Halt.Is())
	c.defaults()
	st.Fetch.Do(func() {
		word.Set(io.Memory.Word)
		st.Execute.Next()
	})
	st.Execute.Do(func() {
		c.execute()
		pc.Set(c.next)
		m.When(c.writes, func() { registers.Write(in.RD, c.result) })
		m.When(c.halt, st.Halt.Next).Else(st.Fetch.Next)
	})
	st.Halt.Do(nil)
	return io
}

func split(w hw.Bits) immediates {
	sign := w.Bit(31)
	return immediates{
		i: w.Slice(31, 20).SExt(32),
		s: hw.Cat(w.Slice(31, 25), w.Slice(11, 7)).SExt(32),
		b: hw.Cat(sign, w.Bit(7), w.Slice(30, 25), w.Slice(11, 8), hw.Lit(1, 0)).SExt(32),
		u: hw.Cat(w.Slice(31, 12), hw.Lit(12, 0)),
		j: hw.Cat(sign, w.Slice(19, 12), w.Bit(20), w.Slice(30, 21), hw.Lit(1, 0)).SExt(32),
	}
}

func (c *core) defaults() {
	c.next.Set(c.pc.Add(hw.K(4)))
	c.result.Set(hw.K(0))
	c.writes.Set(hw.K(0))
	c.halt.Set(hw.K(0))
	c.io.Memory.Address.Set(c.pc)
	c.io.Memory.Write.Set(hw.K(0))
	c.io.Memory.Data.Set(hw.K(0))
}

func (c *core) put(x hw.Bits) {
	c.writes.Set(hw.K(1))
	c.result.Set(x)
}

func (c *core) execute() {
	after := c.pc.Add(hw.K(4))
	on := func(o Opcode) hw.Bits { return c.in.Opcode.Is(o) }
	c.m.When(on(LUI), func() { c.put(c.imm.u) }).
		ElseWhen(on(AUIPC), func() { c.put(c.pc.Add(c.imm.u)) }).
		ElseWhen(on(JAL), func() {
			c.put(after)
			c.next.Set(c.pc.Add(c.imm.j))
		}).
		ElseWhen(on(JALR), func() {
			c.put(after)
			c.next.Set(hw.Cat(c.rs1.Add(c.imm.i).Slice(31, 1), hw.Lit(1, 0)))
		}).
		ElseWhen(on(Branch), func() { c.m.When(c.taken(), func() { c.next.Set(c.pc.Add(c.imm.b)) }) }).
		ElseWhen(on(Load), c.load).
		ElseWhen(on(Store), c.store).
		ElseWhen(on(OpImm), func() { c.put(c.compute(c.imm.i, hw.Lit(1, 0))) }).
		ElseWhen(on(Op), func() { c.put(c.compute(c.rs2, c.in.Funct7.Bit(5))) }).
		ElseWhen(on(Fence).Not(), func() { c.halt.Set(hw.K(1)) })
}

// taken returns 1 if a branch is taken. Bit 0 negates each of the three conditions.
func (c *core) taken() hw.Bits {
	f := c.in.Funct3
	less := hw.Mux(f.Bit(1), c.rs1.Lt(c.rs2), c.rs1.LtS(c.rs2))
	return hw.Mux(f.Bit(2), less, c.rs1.Eq(c.rs2)).Xor(f.Bit(0))
}

// compute returns the ALU function of rs1 and b. minus selects subtraction.
func (c *core) compute(b, minus hw.Bits) hw.Bits {
	a, amount, f := c.rs1, b.Trunc(5), hw.EnumOf[Function](c.in.Funct3)
	right := hw.Mux(c.in.Funct7.Bit(5), a.ShrS(amount), a.Shr(amount))
	out := hw.Mux(minus, a.Sub(b), a.Add(b))
	for _, x := range []struct {
		f     Function
		value hw.Bits
	}{
		{ShiftLeft, a.Shl(amount)}, {Less, a.LtS(b).Ext(32)}, {LessUnsigned, a.Lt(b).Ext(32)}, {Xor, a.Xor(b)}, {ShiftRight, right}, {Or, a.Or(b)}, {And, a.And(b)},
	} {
		out = hw.Mux(f.Is(x.f), x.value, out)
	}
	return out
}

// load extracts bytes from their position in the word. Addresses are aligned.
func (c *core) load() {
	at := c.rs1.Add(c.imm.i)
	c.io.Memory.Address.Set(at)
	word := c.io.Memory.Word.Shr(hw.Cat(at.Trunc(2), hw.Lit(3, 0)))
	part := func(width int) hw.Bits {
		return hw.Mux(c.in.Funct3.Bit(2), word.Trunc(width).Ext(32), word.Trunc(width).SExt(32))
	}
	c.put(hw.Mux(c.in.Funct3.Bit(1), word, hw.Mux(c.in.Funct3.Bit(0), part(16), part(8))))
}

// store moves bytes to their position in the word.
func (c *core) store() {
	at := c.rs1.Add(c.imm.s)
	c.io.Memory.Address.Set(at)
	c.io.Memory.Data.Set(c.rs2.Shl(hw.Cat(at.Trunc(2), hw.Lit(3, 0))))
	bytes := hw.Mux(c.in.Funct3.Bit(1), hw.Lit(4, 15), hw.Mux(c.in.Funct3.Bit(0), hw.Lit(4, 3), hw.Lit(4, 1)))
	c.io.Memory.Write.Set(bytes.Shl(at.Trunc(2)))
}
