package avx2

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// Target is AVX2. It has no registers for masks: a mask is a vector whose lanes have all bits set or none, or the
// opposite of that, so that a negation costs nothing.
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
	not map[kernel.Value]bool // masks of which the register has the opposite
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

// avx2Bitwise are the instructions that do not care for the size of words.
var bitwise = map[kernel.Op]string{kernel.And: "VPAND", kernel.Or: "VPOR", kernel.Xor: "VPXOR"}

// avx2Arithmetic are the instructions by the size of words.
var arithmetic = map[kernel.Op]string{kernel.Add: "VPADD", kernel.Sub: "VPSUB", kernel.ShlBy: "VPSLLV", kernel.ShrBy: "VPSRLV", kernel.SarBy: "VPSRAV"}

// operation is an instruction whose first operand is a register and whose second may be a
// number in memory.
func (s *selector) operation(name string, x kernel.Reg, y kernel.Value) kernel.Reg {
	if c, ok := s.Kernel.Constant(y); ok {
		return s.with(name, x, c)
	}
	return s.apply(name, x, s.Get(y))
}

// with is an instruction on a register and a number in each lane.
func (s *selector) with(name string, x kernel.Reg, c uint64) kernel.Reg {
	return s.Emit(fmt.Sprintf("%s %s, {0}, {d}", name, s.each(c, s.Size)), x)
}

// apply is an instruction on two registers.
func (s *selector) apply(name string, x, y kernel.Reg) kernel.Reg {
	return s.Emit(name+" {1}, {0}, {d}", x, y)
}

// shifted is x moved by a constant number of bits, in words of some size.
func (s *selector) shifted(name string, x kernel.Reg, by int) kernel.Reg {
	return s.Emit(fmt.Sprintf("%s $%d, {0}, {d}", name, by), x)
}

// ones has all bits set.
func (s *selector) ones() kernel.Reg { return s.Load("VPCMPEQD {d}, {d}, {d}") }

// each is where a vector lies with a number in words of some size.
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

// swapped puts a constant second.
func (s *selector) swapped(args []kernel.Value) []kernel.Value {
	if _, ok := s.Kernel.Constant(args[0]); ok {
		return []kernel.Value{args[1], args[0]}
	}
	return args
}

// wordsOf chooses the instructions of i, whose result is words.
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

// choice is x in the lanes of a mask, else y.
func (s *selector) choice(mask kernel.Value, x, y kernel.Reg) kernel.Reg {
	if s.not[mask] {
		x, y = y, x
	}
	return s.Emit("VPBLENDVB {0}, {1}, {2}, {d}", s.Get(mask), x, y)
}

// lanesOf chooses the instructions of i, whose result is a mask, or its opposite.
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

// both is the lanes of two masks, or of their opposites.
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

// compared compares words. There are instructions for equal ones, the greater with sign, and
// the lesser without, which there is none of for words of 64 bits.
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

// tested tells where one of some bits is set.
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

// extending loads the present lanes of a place.
func (s *selector) extending(at kernel.Place) string {
	if at.Size == s.Size {
		return fmt.Sprintf("VMOVDQU %s, {d}", s.Words(at))
	}
	return fmt.Sprintf("VPMOVZX%s%s %s, {d}", kernel.Suffix(at.Size), kernel.Suffix(s.Size), s.Words(at))
}

// broadcast takes what is at a place into each lane.
func (s *selector) broadcast(at kernel.Place) kernel.Reg {
	if at.Size == s.Size {
		return s.Load(fmt.Sprintf("VPBROADCAST%s %s, {d}", kernel.Suffix(at.Size), kernel.Address(at)))
	}
	move := map[int]string{8: "MOVBLZX", 16: "MOVWLZX", 32: "MOVL"}[at.Size]
	return s.Load(fmt.Sprintf("%s %s, R9\n\tVMOVQ R9, {d:X}\n\tVPBROADCAST%s {d:X}, {d}", move, kernel.Address(at), kernel.Suffix(s.Size)))
}

// gathered reads memory at places that the lanes tell. The instruction spoils its mask.
func (s *selector) gathered(i kernel.Inst) kernel.Reg {
	mask, not := s.Get(i.Args[1]), s.not[i.Args[1]]
	copied := s.Emit("VMOVDQA {0}, {d}", mask)
	if not {
		copied = s.apply("VPXOR", mask, s.ones())
	}
	zero := s.Emit("VPXOR {d}, {d}, {d}")
	x := s.Change(fmt.Sprintf("VPGATHER%[1]s%[1]s {2}, %[2]s({1}*1), {d}", kernel.Suffix(s.Size), kernel.Address(i.At)), zero, s.Get(i.Args[0]), copied)
	if i.At.Size == s.Size {
		return x
	}
	return s.with("VPAND", x, 1<<i.At.Size-1)
}

// shiftedBy moves by a constant number of bits. There is no such instruction for bytes.
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

// blended puts words into memory and gathers the changes.
func (s *selector) blended(i kernel.Inst) {
	x, same := s.Get(i.Args[0]), i.At.Size == s.Size
	var changes kernel.Reg
	switch masked := len(i.Args) == 2; {
	case masked, i.Group >= 0 && !same:
		old := s.Emit(s.extending(i.At))
		if masked {
			x = s.choice(i.Args[1], x, old)
		}
		if i.Group >= 0 {
			changes = s.apply("VPXOR", x, old)
		}
	case i.Group >= 0:
		changes = s.Emit(fmt.Sprintf("VPXOR %s, {0}, {d}", s.Words(i.At)), x)
	}
	if i.Group >= 0 {
		s.note(i.Group, changes)
	}
	if same {
		s.Effect(fmt.Sprintf("VMOVDQU {0}, %s", s.Words(i.At)), x)
	} else {
		s.narrowed(i.At, x)
	}
}

// note adds changes to those of a group.
func (s *selector) note(group int, changes kernel.Reg) {
	sum, at := s.Sum(group)
	if at == "" {
		s.Effect(fmt.Sprintf("VPOR {0}, %[1]s, %[1]s", sum), changes)
		return
	}
	changes = s.Emit(fmt.Sprintf("VPOR %s, {0}, {d}", at), changes)
	s.Effect(fmt.Sprintf("VMOVDQU {0}, %s", at), changes)
}

// narrowed stores the low bits of words: a shuffle brings those of each half to a place of its
// own.
func (s *selector) narrowed(at kernel.Place, x kernel.Reg) {
	each, half := at.Size/8, 128/s.Size
	index := make([]byte, 32)
	for i := range index {
		index[i] = 0x80
	}
	for l := range s.Lanes {
		for b := range each {
			index[l/half*16+l*each+b] = byte(l%half*s.Size/8 + b)
		}
	}
	x = s.Emit(fmt.Sprintf("VPSHUFB %s, {0}, {d}", s.Bytes(index)), x)
	if s.Width == 256 {
		high := s.Emit("VEXTRACTI128 $1, {0}, {d:X}", x)
		x = s.Emit("VPOR {1:X}, {0:X}, {d:X}", x, high)
	}
	move := map[int]string{16: "VMOVDQU", 8: "VMOVQ", 4: "VMOVD", 2: "VPEXTRW $0,"}[s.Lanes*each]
	s.Effect(fmt.Sprintf("%s {0:X}, %s", move, s.Words(at)), x)
}

// storeBitsOf puts the bits of a mask into memory and gathers the changes.
func (s *selector) storeBitsOf(i kernel.Inst) {
	at := s.Bits(i.At)
	text, uses := s.collected("R9", i.Args[0], nil)
	up := func(register string) {
		if by := s.First % 8; by > 0 { // their place in a byte
			text += fmt.Sprintf("\tSHLL $%d, %s\n", by, register)
		}
	}
	up("R9")
	if s.Lanes >= 8 && len(i.Args) == 1 && i.Group < 0 {
		s.Effect(fmt.Sprintf("%s\t%s R9, %s", text, s.StoreBits(), at), uses...)
		return
	}
	text += fmt.Sprintf("\t%s %s, R8\n\tXORQ R8, R9\n", s.LoadBits(), at)
	if s.Lanes < 8 { // others have the rest of the byte
		text += fmt.Sprintf("\tANDL $%#x, R9\n", s.ByteMask())
	}
	if len(i.Args) == 2 {
		var more string
		more, uses = s.collected(kernel.Spare, i.Args[1], uses)
		text += more
		up(kernel.Spare)
		text += fmt.Sprintf("\tANDQ %s, R9\n", kernel.Spare)
	}
	if i.Group >= 0 {
		text += fmt.Sprintf("\tORQ R9, %s\n", s.Union(i.Group))
	}
	s.Effect(fmt.Sprintf("%s\tXORQ R8, R9\n\t%s R9, %s", text, s.StoreBits(), at), uses...)
}

// collected moves the bits of a mask to a general register. It uses one register beside others.
func (s *selector) collected(to string, mask kernel.Value, others []kernel.Reg) (text string, uses []kernel.Reg) {
	x, n := s.Get(mask), len(others)
	switch {
	case s.Size == 16 && s.Width == 256:
		x = s.Emit("VPERMQ $0xd8, {0}, {d}", s.apply("VPACKSSWB", x, x))
		text = fmt.Sprintf("VPMOVMSKB {%d:X}, %s\n", n, to)
	case s.Size == 16:
		x = s.apply("VPACKSSWB", x, x)
		text = fmt.Sprintf("VPMOVMSKB {%d}, %s\n\tMOVBLZX %s, %s\n", n, to, to, to)
	default:
		name := map[int]string{8: "VPMOVMSKB", 32: "VMOVMSKPS", 64: "VMOVMSKPD"}[s.Size]
		text = fmt.Sprintf("%s {%d}, %s\n", name, n, to)
	}
	if n > 0 {
		text = "\t" + text
	}
	if s.not[mask] {
		text += fmt.Sprintf("\tXORL $%#x, %s\n", uint32(1<<s.Lanes-1), to)
	}
	return text, append(others, x)
}
