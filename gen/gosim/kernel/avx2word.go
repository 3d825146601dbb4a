package kernel

import "fmt"

// What AVX2 has no instruction for.

// product multiplies. Words of 64 bits are put together from products of their halves.
func (s *selector) product(args []Value) reg {
	if s.size < 64 {
		return s.operation("VPMULL"+suffix(s.size), s.get(args[0]), args[1])
	}
	x, y := s.get(args[0]), s.get(args[1])
	high := func(x reg) reg { return s.shifted("VPSRLQ", x, 32) }
	across := s.apply("VPADDQ", s.apply("VPMULUDQ", high(x), y), s.apply("VPMULUDQ", x, high(y)))
	return s.apply("VPADDQ", s.apply("VPMULUDQ", x, y), s.shifted("VPSLLQ", across, 32))
}

// movedBy moves x by numbers of bits that differ by lane.
func (s *selector) movedBy(op Op, x, by reg) reg {
	switch size := s.size; {
	case size == 16:
		return s.movedHalves(op, x, by)
	case size == 64 && op == SarBy: // what is negative moves as its opposite
		sign := s.emit(false, false, "VPCMPGTQ {1}, {0}, {d}", s.number(0), x)
		return s.apply("VPXOR", s.apply("VPSRLVQ", s.apply("VPXOR", x, sign), by), sign)
	default:
		return s.apply(arithmetic[op]+suffix(size), x, by)
	}
}

// movedHalves moves words of 16 bits: those in the low half of 32 bits, and those in the high
// one.
func (s *selector) movedHalves(op Op, x, by reg) reg {
	name := arithmetic[op] + "D"
	keep := func(x reg, bits uint64) reg {
		return s.emit(false, false, fmt.Sprintf("VPAND %s, {0}, {d}", s.each(bits, 32)), x)
	}
	low, high := keep(by, 0xffff), s.shifted("VPSRLD", by, 16)
	var a, b reg
	switch op {
	case ShlBy:
		a, b = s.apply(name, x, low), s.apply(name, keep(x, 0xffff0000), high)
	case ShrBy:
		a, b = s.apply(name, keep(x, 0xffff), low), s.apply(name, x, high)
	default:
		a, b = s.shifted("VPSRLD", s.apply(name, s.shifted("VPSLLD", x, 16), low), 16), s.apply(name, x, high)
	}
	return s.emit(false, false, "VPBLENDW $0xaa, {1}, {0}, {d}", a, b)
}

// count is the number of bits that are set: those of each half of a byte from a table, summed.
func (s *selector) count(x reg) reg {
	var counts [32]byte
	for i := range counts {
		for b := range 4 {
			counts[i] += byte(i >> b & 1)
		}
	}
	table := s.emit(false, true, fmt.Sprintf("VMOVDQU tables<>+%d(SB), {d}", s.a.table(counts[:])))
	half := func(x reg) reg {
		x = s.emit(false, false, fmt.Sprintf("VPAND %s, {0}, {d}", s.each(0x0f, 8)), x)
		return s.apply("VPSHUFB", table, x)
	}
	x = s.apply("VPADDB", half(x), half(s.shifted("VPSRLW", x, 4)))
	if s.size == 64 {
		return s.apply("VPSADBW", x, s.number(0))
	}
	if s.size > 8 {
		x = s.emit(false, false, fmt.Sprintf("VPMADDUBSW %s, {0}, {d}", s.each(1, 8)), x)
	}
	if s.size > 16 {
		x = s.emit(false, false, fmt.Sprintf("VPMADDWD %s, {0}, {d}", s.each(1, 16)), x)
	}
	return x
}
