package avx2

import (
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// lanesOf selects the instructions of i, whose result is a mask or its complement.
func (s *selector) lanesOf(i kernel.Inst) (r kernel.Reg, not bool) {
	switch i.Op {
	case kernel.LoadMask:
		numbers := make([]int, s.Lanes)
		for l := range numbers {
			numbers[l] = s.First + l
		}
		return s.bitsAt(i.At, numbers, s.Step), false
	case kernel.PickMask:
		step, _ := kernel.Period(i.Numbers, s.Step)
		return s.bitsAt(i.At, i.Numbers[s.First:s.First+s.Lanes], step), false
	case kernel.Equal, kernel.NotEqual, kernel.Less, kernel.LessEqual, kernel.LessSigned:
		return s.compared(i)
	case kernel.Test:
		return s.tested(i)
	case kernel.MaskNot:
		return s.Get(i.Args[0]), !s.not[i.Args[0]]
	}
	x, y := i.Args[0], i.Args[1]
	a, b, na, nb := s.Get(x), s.Get(y), s.not[x], s.not[y]
	switch i.Op {
	case kernel.MaskXor:
		return s.apply("VPXOR", a, b), na != nb
	case kernel.MaskOr:
		r, not := s.both(a, b, !na, !nb)
		return r, !not
	case kernel.MaskAndNot:
		nb = !nb
	}
	return s.both(a, b, na, nb)
}

// both returns the intersection of two masks, or of their complements.
func (s *selector) both(a, b kernel.Reg, na, nb bool) (r kernel.Reg, not bool) {
	switch {
	case na && nb:
		return s.apply("VPOR", a, b), true
	case na:
		return s.apply("VPANDN", a, b), false
	case nb:
		return s.apply("VPANDN", b, a), false
	}
	return s.apply("VPAND", a, b), false
}

// compared compares words. AVX2 has instructions for equality, signed greater-than and unsigned
// minimum. It has no unsigned minimum for 64-bit words.
func (s *selector) compared(i kernel.Inst) (r kernel.Reg, not bool) {
	letter, args := kernel.Suffix(s.Size), i.Args
	equal := func(x kernel.Reg, y kernel.Value) kernel.Reg { return s.operation("VPCMPEQ"+letter, x, y) }
	if a, ok := s.Kernel.Constant(args[0]); ok {
		if b, ok := s.Kernel.Constant(args[1]); ok && (i.Op == kernel.Equal || i.Op == kernel.NotEqual) {
			return s.ones(), (a == b) != (i.Op == kernel.Equal)
		}
	}
	switch i.Op {
	case kernel.Equal, kernel.NotEqual:
		args = s.swapped(args)
		return equal(s.Get(args[0]), args[1]), i.Op == kernel.NotEqual
	case kernel.LessSigned:
		return s.operation("VPCMPGT"+letter, s.Get(args[1]), args[0]), false
	}
	if i.Op == kernel.Less { // unless 1 is at most 0
		args = []kernel.Value{args[1], args[0]}
	}
	if s.Size == 64 {
		flip := func(v kernel.Value) kernel.Reg { return s.with("VPXOR", s.Get(v), 1<<63) }
		return s.apply("VPCMPGTQ", flip(args[0]), flip(args[1])), i.Op == kernel.LessEqual
	}
	x := s.Get(args[0])
	least := s.operation("VPMINU"+letter, x, args[1])
	return s.apply("VPCMPEQ"+letter, x, least), i.Op == kernel.Less
}

// tested returns a mask of the lanes in which one of some bits is set.
func (s *selector) tested(i kernel.Inst) (r kernel.Reg, not bool) {
	if of := s.Kernel.Insts[i.Args[0]]; of.Op == kernel.Table {
		lanes := make([]int, len(of.Numbers))
		for l, n := range of.Numbers {
			if uint64(n)&i.Imm != 0 {
				lanes[l] = -1
			}
		}
		return s.Numbers(lanes), false
	}
	x, bits := s.Get(i.Args[0]), i.Imm&kernel.Ones(s.Size)
	if bits != kernel.Ones(s.Size) {
		x = s.with("VPAND", x, bits)
	}
	name := "VPCMPEQ" + kernel.Suffix(s.Size)
	if bits&(bits-1) == 0 {
		return s.with(name, x, bits), false
	}
	return s.apply(name, x, s.Number(0)), true
}
