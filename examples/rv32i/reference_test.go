package rv32i_test

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/examples/rv32i"
)

// memory is 4 KiB, repeated over the address space.
type memory [4096]byte

func (m *memory) word(at uint32) uint32       { return binary.LittleEndian.Uint32(m[at&0xffc:]) }
func (m *memory) set(at uint32, value uint32) { binary.LittleEndian.PutUint32(m[at&0xffc:], value) }

// reference is a model of the core in plain Go that executes one instruction per step.
type reference struct {
	memory
	x      [32]uint32
	pc     uint32
	halted bool
}

func (c *reference) step() {
	w := c.word(c.pc)
	f3, rd, rs1, rs2 := w>>12&7, w>>7&31, c.x[w>>15&31], c.x[w>>20&31]
	imm := uint32(int32(w) >> 20)
	next, put := c.pc+4, func(x uint32) { c.x[rd] = x }
	switch rv32i.Opcode(w & 127) {
	case rv32i.LUI:
		put(w &^ 0xfff)
	case rv32i.AUIPC:
		put(c.pc + w&^0xfff)
	case rv32i.JAL:
		put(next)
		next = c.pc + uint32(int32(w&0x80000000)>>11) + w&0xff000 + w>>20&1<<11 + w>>21&0x3ff<<1
	case rv32i.JALR:
		to := rs1 + imm
		put(next)
		next = to &^ 1
	case rv32i.Branch:
		if branches(f3, rs1, rs2) {
			next = c.pc + uint32(int32(w&0x80000000)>>19) + w>>7&1<<11 + w>>25&63<<5 + w>>8&15<<1
		}
	case rv32i.Load:
		put(loaded(f3, c.word(rs1+imm)>>((rs1+imm)&3*8)))
	case rv32i.Store:
		at := rs1 + (uint32(int32(w)>>25<<5) | w>>7&31)
		for k := range uint32(1) << f3 {
			c.memory[(at+k)&0xfff] = byte(rs2 >> (8 * k))
		}
	case rv32i.OpImm:
		put(computed(f3, f3 == 5 && w>>30&1 == 1, rs1, imm))
	case rv32i.Op:
		put(computed(f3, w>>30&1 == 1, rs1, rs2))
	case rv32i.Fence:
	default:
		c.halted = true
	}
	c.x[0] = 0
	c.pc = next
}

func branches(f3, a, b uint32) bool {
	return [8]bool{a == b, a != b, false, false, int32(a) < int32(b), int32(a) >= int32(b), a < b, a >= b}[f3]
}

func loaded(f3, w uint32) uint32 {
	return [8]uint32{uint32(int8(w)), uint32(int16(w)), w, 0, uint32(uint8(w)), uint32(uint16(w))}[f3]
}

func computed(f3 uint32, other bool, a, b uint32) uint32 {
	bit := map[bool]uint32{true: 1}
	out := [8]uint32{a + b, a << (b & 31), bit[int32(a) < int32(b)], bit[a < b], a ^ b, a >> (b & 31), a | b, a & b}[f3]
	switch {
	case other && f3 == 0:
		out = a - b
	case other && f3 == 5:
		out = uint32(int32(a) >> (b & 31))
	}
	return out
}
