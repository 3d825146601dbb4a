package avx2

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// Operations for which AVX2 has no instruction.

// product multiplies. Products of 64-bit words are composed of products of their halves.
func (s *selector) product(args []kernel.Value) kernel.Reg {
	if s.Size < 64 {
		return s.operation("VPMULL"+kernel.Suffix(s.Size), s.Get(args[0]), args[1])
	}
	x, y := s.Get(args[0]), s.Get(args[1])
	high := func(x kernel.Reg) kernel.Reg { return s.shifted("VPSRLQ", x, 32) }
	across := s.apply("VPADDQ", s.apply("VPMULUDQ", high(x), y), s.apply("VPMULUDQ", x, high(y)))
	return s.apply("VPADDQ", s.apply("VPMULUDQ", x, y), s.shifted("VPSLLQ", across, 32))
}

// movedBy shifts x by numbers of bits that differ by lane.
func (s *selector) movedBy(op kernel.Op, x, by kernel.Reg) kernel.Reg {
	switch size := s.Size; {
	case size == 16:
		return s.movedHalves(op, x, by)
	case size == 64 && op == kernel.SarBy: // a negative value is shifted as its complement
		sign := s.Emit("VPCMPGTQ {1}, {0}, {d}", s.Number(0), x)
		return s.apply("VPXOR", s.apply("VPSRLVQ", s.apply("VPXOR", x, sign), by), sign)
	default:
		return s.apply(arithmetic[op]+kernel.Suffix(size), x, by)
	}
}

// movedHalves shifts words of 16 bits: first the words in the low halves of 32 bits, then the words
// in the high halves.
func (s *selector) movedHalves(op kernel.Op, x, by kernel.Reg) kernel.Reg {
	name := arithmetic[op] + "D"
	keep := func(x kernel.Reg, bits uint64) kernel.Reg {
		return s.Emit(fmt.Sprintf("VPAND %s, {0}, {d}", s.each(bits, 32)), x)
	}
	low, high := keep(by, 0xffff), s.shifted("VPSRLD", by, 16)
	var a, b kernel.Reg
	switch op {
	case kernel.ShlBy:
		a, b = s.apply(name, x, low), s.apply(name, keep(x, 0xffff0000), high)
	case kernel.ShrBy:
		a, b = s.apply(name, keep(x, 0xffff), low), s.apply(name, x, high)
	default:
		a, b = s.shifted("VPSRLD", s.apply(name, s.shifted("VPSLLD", x, 16), low), 16), s.apply(name, x, high)
	}
	return s.Emit("VPBLENDW $0xaa, {1}, {0}, {d}", a, b)
}

// count returns the number of set bits. A table contains the number for half a byte.
func (s *selector) count(x kernel.Reg) kernel.Reg {
	var counts [32]byte
	for i := range counts {
		for b := range 4 {
			counts[i] += byte(i >> b & 1)
		}
	}
	table := s.Load(fmt.Sprintf("VMOVDQU %s, {d}", s.Bytes(counts[:])))
	half := func(x kernel.Reg) kernel.Reg {
		x = s.Emit(fmt.Sprintf("VPAND %s, {0}, {d}", s.each(0x0f, 8)), x)
		return s.apply("VPSHUFB", table, x)
	}
	x = s.apply("VPADDB", half(x), half(s.shifted("VPSRLW", x, 4)))
	if s.Size == 64 {
		return s.apply("VPSADBW", x, s.Number(0))
	}
	if s.Size > 8 {
		x = s.Emit(fmt.Sprintf("VPMADDUBSW %s, {0}, {d}", s.each(1, 8)), x)
	}
	if s.Size > 16 {
		x = s.Emit(fmt.Sprintf("VPMADDWD %s, {0}, {d}", s.each(1, 16)), x)
	}
	return x
}
