package avx2

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// Target is AVX2. It has no registers for masks. A mask is a vector whose lanes have all bits set
// or clear, or the complement of such a vector, so that a negation is free.
type Target struct{}

// Name returns "AVX2".
func (Target) Name() string { return "AVX2" }

// Features returns the registers of AVX2, and its limits.
func (Target) Features() kernel.Features {
	return kernel.Features{
		Longest: 256, Letter: "Y", Registers: 16, Sums: 3, Groups: kernel.MostGroups, Parts: true, Move: "VMOVDQU", Xor: "VPXOR", Or: "VPOR",
		Test: "\tVPTEST %[1]s, %[1]s\n\tSETNE R9\n\tMOVBLZX R9, R9\n",
	}
}

// Selector returns a Selector of AVX2.
func (Target) Selector(code *kernel.Code) kernel.Selector { return &selector{Code: code} }

// selector selects the instructions of a kernel.
type selector struct {
	*kernel.Code
	not map[kernel.Value]bool // masks whose register contains the complement
}

// Begin begins another vector.
func (s *selector) Begin() { s.not = map[kernel.Value]bool{} }

var errOperation = errors.New("an operation takes too many instructions")

// Select selects the instructions of i, which computes v.
func (s *selector) Select(v kernel.Value, i kernel.Inst) {
	switch {
	case i.Op == kernel.Const: // where it is used
	case i.Op == kernel.Store:
		s.blended(i)
	case i.Op == kernel.StoreMask:
		s.storeBitsOf(i)
	case i.Op == kernel.StoreWords:
		s.woven(i)
	case i.Op == kernel.Copy:
		s.listing(i)
	case s.Kernel.IsMask(v):
		r, not := s.lanesOf(i)
		s.Set(v, r)
		s.not[v] = not
	default:
		s.Set(v, s.wordsOf(i))
	}
}

// bitwise contains the instructions that do not depend on the size of words.
var bitwise = map[kernel.Op]string{kernel.And: "VPAND", kernel.Or: "VPOR", kernel.Xor: "VPXOR"}

// arithmetic contains the prefixes of instructions whose suffix is the size of words.
var arithmetic = map[kernel.Op]string{kernel.Add: "VPADD", kernel.Sub: "VPSUB", kernel.ShlBy: "VPSLLV", kernel.ShrBy: "VPSRLV", kernel.SarBy: "VPSRAV"}

// operation returns an instruction whose first operand is a register. The second operand may be a
// constant in memory.
func (s *selector) operation(name string, x kernel.Reg, y kernel.Value) kernel.Reg {
	if c, ok := s.Kernel.Constant(y); ok {
		return s.with(name, x, c)
	}
	return s.apply(name, x, s.Get(y))
}

// with returns an instruction on a register and the same number in each lane.
func (s *selector) with(name string, x kernel.Reg, c uint64) kernel.Reg {
	return s.Emit(fmt.Sprintf("%s %s, {0}, {d}", name, s.each(c, s.Size)), x)
}

// apply returns an instruction on two registers.
func (s *selector) apply(name string, x, y kernel.Reg) kernel.Reg {
	return s.Emit(name+" {1}, {0}, {d}", x, y)
}

// shifted returns x shifted by a constant number of bits, in words of some size.
func (s *selector) shifted(name string, x kernel.Reg, by int) kernel.Reg {
	return s.Emit(fmt.Sprintf("%s $%d, {0}, {d}", name, by), x)
}

// ones returns a vector with all bits set.
func (s *selector) ones() kernel.Reg { return s.Load("VPCMPEQD {d}, {d}, {d}") }

// each returns the memory operand of a vector with the same number in each word of some size.
func (s *selector) each(x uint64, size int) string {
	for ; size < 64; size *= 2 {
		x |= x << size
	}
	bytes := make([]byte, 32)
	for i := range 4 {
		binary.LittleEndian.PutUint64(bytes[8*i:], x)
	}
	return s.Bytes(bytes)
}

// swapped returns the operands with a constant second.
func (s *selector) swapped(args []kernel.Value) []kernel.Value {
	if _, ok := s.Kernel.Constant(args[0]); ok {
		return []kernel.Value{args[1], args[0]}
	}
	return args
}

// wordsOf selects the instructions of i, whose result is words.
func (s *selector) wordsOf(i kernel.Inst) kernel.Reg {
	size := s.Size
	letter := kernel.Suffix(size)
	switch i.Op {
	case kernel.Table:
		return s.Numbers(i.Numbers)
	case kernel.Load:
		return s.Load(s.extending(i.At))
	case kernel.Splat:
		return s.broadcast(i.At)
	case kernel.Pick:
		step, _ := kernel.Period(i.Numbers, s.Step)
		return s.collect(i.At, i.Numbers[s.First:s.First+s.Lanes], step, "CX")
	case kernel.Gather:
		return s.gathered(i)
	case kernel.And, kernel.Or, kernel.Xor, kernel.Add, kernel.Mul:
		args := s.swapped(i.Args)
		if i.Op == kernel.Mul {
			return s.product(args)
		}
		name := bitwise[i.Op]
		if i.Op == kernel.Add {
			name = arithmetic[kernel.Add] + letter
		}
		return s.operation(name, s.Get(args[0]), args[1])
	case kernel.Sub:
		return s.operation(arithmetic[kernel.Sub]+letter, s.Get(i.Args[0]), i.Args[1])
	case kernel.Shl, kernel.Shr:
		return s.shiftedBy(i)
	case kernel.ShlBy, kernel.ShrBy, kernel.SarBy:
		return s.movedBy(i.Op, s.Get(i.Args[0]), s.Get(i.Args[1]))
	case kernel.Count:
		return s.count(s.Get(i.Args[0]))
	case kernel.Keep:
		m, not := s.Get(i.Args[0]), s.not[i.Args[0]]
		if not {
			return s.operation("VPANDN", m, i.Args[1])
		}
		return s.operation("VPAND", m, i.Args[1])
	case kernel.Blend:
		return s.choice(i.Args[0], s.Get(i.Args[1]), s.Get(i.Args[2]))
	}
	s.Fail(errOperation)
	return kernel.NoReg
}

// choice returns x in the lanes of a mask, else y.
func (s *selector) choice(mask kernel.Value, x, y kernel.Reg) kernel.Reg {
	if s.not[mask] {
		x, y = y, x
	}
	return s.Emit("VPBLENDVB {0}, {1}, {2}, {d}", s.Get(mask), x, y)
}

// shiftedBy shifts by a constant number of bits. AVX2 has no such instruction for bytes.
func (s *selector) shiftedBy(i kernel.Inst) kernel.Reg {
	name, keep := "VPSLL", kernel.Ones(s.Size)<<i.Imm&kernel.Ones(s.Size)
	if i.Op == kernel.Shr {
		name, keep = "VPSRL", kernel.Ones(s.Size)>>i.Imm
	}
	x, size := s.Get(i.Args[0]), s.Size
	if size > 8 {
		return s.shifted(name+kernel.Suffix(size), x, int(i.Imm))
	}
	return s.with("VPAND", s.shifted(name+"W", x, int(i.Imm)), keep)
}
