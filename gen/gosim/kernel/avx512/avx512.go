package avx512

import (
	"fmt"
	"maps"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// Target is AVX-512: masks have registers of their own, and there is a permutation of all bytes of a vector.
type Target struct{}

// Name returns "AVX512".
func (Target) Name() string { return "AVX512" }

// Features returns the registers of AVX-512, and its limits.
func (Target) Features() kernel.Features {
	return kernel.Features{
		Longest: 512, Mixed: true, Letter: "Z", Registers: 32, Sums: 14, Groups: 14, Move: "VMOVDQU64", Xor: "VPXORQ", Or: "VPORQ",
		Test: "\tVPTESTMQ %[1]s, %[1]s, K1\n\tKMOVB K1, R9\n",
	}
}

// Selector returns a Selector of AVX-512.
func (Target) Selector(code *kernel.Code) kernel.Selector { return &selector{Code: code} }

// selector selects the instructions of a kernel.
type selector struct {
	*kernel.Code
	rows     map[rowsAt][kernel.RowWords]kernel.Reg // registers by word
	outside  map[rowsAt][kernel.RowWords]kernel.Reg // rows loaded before the part that may be skipped
	skips    int                                    // number of skippable parts so far
	scatters int                                    // number of scatters so far
}

// Begin begins another vector.
func (s *selector) Begin() { s.rows = map[rowsAt][kernel.RowWords]kernel.Reg{} }

// maskSuffix returns the suffix of instructions for the size of masks.
func (s *selector) maskSuffix() string { return kernel.Suffix(max(s.Lanes, 8)) }

// emitter appends an instruction: Emit or EmitMask of Code.
type emitter = func(text string, uses ...kernel.Reg) kernel.Reg

// binary returns an operation whose second operand may be a constant in memory, if its words are as
// long as the words of the instruction.
func (s *selector) binary(emit emitter, name string, size int, imm string, args []kernel.Value) kernel.Reg {
	x := s.Get(args[0])
	if c, ok := s.Kernel.Constant(args[1]); ok && size >= 32 {
		return emit(fmt.Sprintf("%s.BCST %s%s, {0}, {d}", name, imm, s.Literal(c, s.Size)), x)
	}
	return emit(fmt.Sprintf("%s %s{1}, {0}, {d}", name, imm), x, s.Get(args[1]))
}

// bitwise contains the instructions that do not depend on the size of words.
var bitwise = map[kernel.Op]string{kernel.And: "VPAND", kernel.Or: "VPOR", kernel.Xor: "VPXOR"}

// arithmetic contains the prefixes of instructions whose suffix is the size of words.
var arithmetic = map[kernel.Op]string{kernel.Add: "VPADD", kernel.Sub: "VPSUB", kernel.ShlBy: "VPSLLV", kernel.ShrBy: "VPSRLV", kernel.SarBy: "VPSRAV"}

// predicates maps comparisons to their immediate operands.
var predicates = map[kernel.Op]int{kernel.Equal: 0, kernel.NotEqual: 4, kernel.Less: 1, kernel.LessEqual: 2, kernel.LessSigned: 1}

// logic contains the prefixes of the instructions on masks.
var logic = map[kernel.Op]string{kernel.MaskAnd: "KAND", kernel.MaskOr: "KOR", kernel.MaskXor: "KXOR"}

// opposite returns the complement of a mask. It inverts a comparison or a test that has no other
// use.
func (s *selector) opposite(mask kernel.Value) kernel.Reg {
	x := s.Kernel.Insts[mask]
	predicate, ok := predicates[x.Op]
	if !ok && x.Op != kernel.Test || x.Op == kernel.LessSigned || s.Uses(mask) > 1 {
		return s.EmitMask(fmt.Sprintf("KNOT%s {0}, {d}", s.maskSuffix()), s.Get(mask))
	}
	s.Size = s.Kernel.WordBits(x)
	if x.Op == kernel.Test {
		return s.testing("VPTESTNM", x)
	}
	return s.binary(s.EmitMask, "VPCMPU"+kernel.Suffix(s.Size), s.Size, fmt.Sprintf("$%d, ", predicate^4), x.Args)
}

// testing returns a mask of the lanes in which some, or none, of the bits are set, depending on the
// instruction.
func (s *selector) testing(name string, i kernel.Inst) kernel.Reg {
	x := s.Get(i.Args[0])
	name += kernel.Suffix(s.Size)
	switch {
	case i.Imm == kernel.Ones(s.Size):
		return s.EmitMask(name+" {0}, {0}, {d}", x)
	case s.Size >= 32:
		return s.EmitMask(fmt.Sprintf("%s.BCST %s, {0}, {d}", name, s.Literal(i.Imm, s.Size)), x)
	}
	return s.EmitMask(name+" {1}, {0}, {d}", x, s.Number(i.Imm))
}

// Select selects the instructions of i, which computes v.
func (s *selector) Select(v kernel.Value, i kernel.Inst) {
	size := s.Size
	sfx := kernel.Suffix(size)
	switch i.Op {
	case kernel.Const: // where it is used
	case kernel.Table:
		s.Set(v, s.Numbers(i.Numbers))
	case kernel.Load:
		s.Set(v, s.load(i.At))
	case kernel.Splat:
		s.Set(v, s.splat(i.At))
	case kernel.Pick:
		s.Set(v, s.pick(i))
	case kernel.Gather:
		s.Set(v, s.gather(i))
	case kernel.LoadMask:
		s.Set(v, s.LoadMask(fmt.Sprintf("KMOV%s %s, {d}", s.maskSuffix(), s.Bits(i.At))))
		s.NoteLoad(i.At)
	case kernel.PickMask:
		s.Set(v, s.pickMask(i))
	case kernel.And, kernel.Or, kernel.Xor:
		if m, ok := s.merged(i); ok {
			s.Set(v, m)
			return
		}
		args := i.Args
		if _, ok := s.Kernel.Constant(args[0]); ok {
			args = []kernel.Value{args[1], args[0]}
		}
		unit := max(size, 32)
		s.Set(v, s.binary(s.Emit, bitwise[i.Op]+kernel.Suffix(unit), unit, "", args))
	case kernel.Add, kernel.Sub, kernel.ShlBy, kernel.ShrBy, kernel.SarBy:
		s.Set(v, s.binary(s.Emit, arithmetic[i.Op]+sfx, size, "", i.Args))
	case kernel.Mul:
		s.Set(v, s.binary(s.Emit, "VPMULL"+sfx, size, "", i.Args))
	case kernel.Shl, kernel.Shr:
		s.Set(v, s.shift(i))
	case kernel.Count:
		s.Set(v, s.Emit(fmt.Sprintf("VPOPCNT%s {0}, {d}", sfx), s.Get(i.Args[0])))
	case kernel.LeadingZeros:
		s.Set(v, s.Emit(fmt.Sprintf("VPLZCNT%s {0}, {d}", sfx), s.Get(i.Args[0])))
	case kernel.Parities:
		s.Set(v, s.parities(i))
	case kernel.Equal, kernel.NotEqual, kernel.Less, kernel.LessEqual:
		s.Set(v, s.binary(s.EmitMask, "VPCMPU"+sfx, size, fmt.Sprintf("$%d, ", predicates[i.Op]), i.Args))
	case kernel.LessSigned:
		s.Set(v, s.binary(s.EmitMask, "VPCMP"+sfx, size, "$1, ", i.Args))
	case kernel.Test:
		s.Set(v, s.testing("VPTESTM", i))
	case kernel.Keep:
		s.Set(v, s.Emit(fmt.Sprintf("VMOVDQU%d.Z {1}, {0}, {d}", size), s.Get(i.Args[0]), s.Get(i.Args[1])))
	case kernel.Blend:
		s.Set(v, s.blend(s.Get(i.Args[0]), s.Get(i.Args[1]), s.Get(i.Args[2])))
	case kernel.MaskAnd, kernel.MaskOr, kernel.MaskXor:
		s.Set(v, s.EmitMask(fmt.Sprintf("%s%s {1}, {0}, {d}", logic[i.Op], s.maskSuffix()), s.Get(i.Args[0]), s.Get(i.Args[1])))
	case kernel.MaskAndNot:
		s.Set(v, s.without(s.Get(i.Args[0]), s.Get(i.Args[1])))
	case kernel.MaskNot:
		s.Set(v, s.opposite(i.Args[0]))
	case kernel.Store:
		s.store(i)
	case kernel.StoreMask:
		s.storeMask(i)
	case kernel.StoreWords:
		s.storeWords(i)
	case kernel.Resize:
		from := s.Kernel.Insts[i.Args[0]].Size
		if c, ok := s.Kernel.Constant(i.Args[0]); ok { // simplification may have made it constant
			s.Set(v, s.Number(c&kernel.Ones(from)))
			return
		}
		s.Set(v, s.resize(s.Get(i.Args[0]), from))
	case kernel.Row:
		s.Set(v, s.row(i))
	case kernel.StoreRow:
		s.storeRow(i)
	case kernel.Scatter:
		s.scatter(i)
	case kernel.Copy:
		s.pair(i)
	case kernel.Begin:
		s.leaveOut(s.Get(i.Args[0]))
	case kernel.End:
		s.end()
	}
}

// leaveOut skips the instructions up to the end of the part if no lane is in a mask.
func (s *selector) leaveOut(mask kernel.Reg) {
	s.outside = maps.Clone(s.rows)
	s.BeginPart(fmt.Sprintf("KORTEST%s {0}, {0}\n\tJEQ %s", s.maskSuffix(), s.left()), mask)
}

func (s *selector) end() {
	s.EndPart(s.left() + ":")
	s.rows = s.outside
	s.skips++
}

// left returns the label after a part that may be skipped.
func (s *selector) left() string { return s.Label(fmt.Sprintf("left%d", s.skips)) }

// merged returns i, the union of words with other words in the lanes of a mask, as one instruction.
// It returns false for another form, or if the words that it would overwrite have another use.
func (s *selector) merged(i kernel.Inst) (kernel.Reg, bool) {
	if i.Op != kernel.Or || s.Size < 32 {
		return kernel.NoReg, false
	}
	for n, a := range i.Args {
		x, other := s.Kernel.Insts[a], i.Args[1-n]
		if x.Op != kernel.Keep || s.Uses(other) > 1 || s.Kernel.Insts[other].Op == kernel.Const {
			continue
		}
		mask, to := s.Get(x.Args[0]), s.Get(other)
		if c, ok := s.Kernel.Constant(x.Args[1]); ok {
			return s.Change(fmt.Sprintf("VPOR%s.BCST %s, {0}, {1}, {d}", kernel.Suffix(s.Size), s.Literal(c, s.Size)), to, mask), true
		}
		return s.Change(fmt.Sprintf("VPOR%s {1}, {0}, {2}, {d}", kernel.Suffix(s.Size)), to, s.Get(x.Args[1]), mask), true
	}
	return kernel.NoReg, false
}

// without returns the lanes of x that are not in y.
func (s *selector) without(x, y kernel.Reg) kernel.Reg {
	return s.EmitMask(fmt.Sprintf("KANDN%s {0}, {1}, {d}", s.maskSuffix()), x, y)
}

// blend returns a in the lanes of a mask, else b.
func (s *selector) blend(mask, a, b kernel.Reg) kernel.Reg {
	return s.Emit(fmt.Sprintf("VPBLENDM%s {1}, {2}, {0}, {d}", kernel.Suffix(s.Size)), mask, a, b)
}

// shift shifts by a constant number of bits. AVX-512 has no such instruction for bytes.
func (s *selector) shift(i kernel.Inst) kernel.Reg {
	name, keep := "VPSLL", kernel.Ones(s.Size)<<i.Imm
	if i.Op == kernel.Shr {
		name, keep = "VPSRL", kernel.Ones(s.Size)>>i.Imm
	}
	x := s.Get(i.Args[0])
	if s.Size > 8 {
		return s.Emit(fmt.Sprintf("%s%s $%d, {0}, {d}", name, kernel.Suffix(s.Size), i.Imm), x)
	}
	y := s.Emit(fmt.Sprintf("%sW $%d, {0}, {d}", name, i.Imm), x)
	return s.Emit(fmt.Sprintf("VPANDD.BCST %s, {0}, {d}", s.Literal(keep&0xff, 8)), y)
}

// resize returns x, whose words have from bits, in words of the present size.
func (s *selector) resize(x kernel.Reg, from int) kernel.Reg {
	if from < s.Size {
		return s.Emit(fmt.Sprintf("VPMOVZX%s%s {0}, {d}", kernel.Suffix(from), kernel.Suffix(s.Size)), x)
	}
	return s.Emit(fmt.Sprintf("VPMOV%s%s {0}, {d}", kernel.Suffix(from), kernel.Suffix(s.Size)), x)
}
