package kernel

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// AVX2 has vectors of 256 bits and no registers for masks: a mask is a vector whose lanes have
// all bits set or none, or the opposite of that, so that a negation costs nothing.
var AVX2 = &Target{
	Name: "AVX2", longest: 256, letter: "Y", registers: 16, sums: 3, groups: mostGroups, parts: true, move: "VMOVDQU", xor: "VPXOR", or: "VPOR",
	test:   "\tVPTEST %[1]s, %[1]s\n\tSETNE R9\n\tMOVBLZX R9, R9\n",
	choose: (*selector).avx2,
}

var errOperation = errors.New("an operation takes too many instructions")

// avx2 chooses the instructions of i, which computes v.
func (s *selector) avx2(v Value, i Inst) {
	switch {
	case i.Op == Const: // where it is used
	case i.Op == Store:
		s.blended(i)
	case i.Op == StoreMask:
		s.storeBitsOf(i)
	case i.Op == StoreWords:
		s.woven(i)
	case i.Op == Copy:
		s.listing(i)
	case i.Op.mask():
		s.of[v], s.not[v] = s.lanesOf(i)
	default:
		s.of[v] = s.wordsOf(i)
	}
}

// operation is an instruction whose first operand is a register and whose second may be a
// number in memory.
func (s *selector) operation(name string, x reg, y Value) reg {
	if c, ok := s.k.constant(y); ok {
		return s.with(name, x, c)
	}
	return s.apply(name, x, s.get(y))
}

// with is an instruction on a register and a number in each lane.
func (s *selector) with(name string, x reg, c uint64) reg {
	return s.emit(false, false, fmt.Sprintf("%s %s, {0}, {d}", name, s.each(c, s.size)), x)
}

// apply is an instruction on two registers.
func (s *selector) apply(name string, x, y reg) reg {
	return s.emit(false, false, name+" {1}, {0}, {d}", x, y)
}

// shifted is x moved by a constant number of bits, in words of some size.
func (s *selector) shifted(name string, x reg, by int) reg {
	return s.emit(false, false, fmt.Sprintf("%s $%d, {0}, {d}", name, by), x)
}

// ones has all bits set.
func (s *selector) ones() reg { return s.emit(false, true, "VPCMPEQD {d}, {d}, {d}") }

// each is where a vector lies with a number in words of some size.
func (s *selector) each(x uint64, size int) string {
	for ; size < 64; size *= 2 {
		x |= x << size
	}
	bytes := make([]byte, 32)
	for i := range 4 {
		binary.LittleEndian.PutUint64(bytes[8*i:], x)
	}
	return fmt.Sprintf("tables<>+%d(SB)", s.a.table(bytes))
}

// swapped puts a constant second.
func (s *selector) swapped(args []Value) []Value {
	if _, ok := s.k.constant(args[0]); ok {
		return []Value{args[1], args[0]}
	}
	return args
}

// wordsOf chooses the instructions of i, whose result is words.
func (s *selector) wordsOf(i Inst) reg {
	size := s.size
	letter := suffix(size)
	switch i.Op {
	case Table:
		return s.numbers(i.Numbers)
	case Load:
		return s.emit(false, true, s.extending(i.At))
	case Splat:
		return s.broadcast(i.At)
	case Pick:
		step, _ := period(i.Numbers, s.step)
		return s.collect(i.At, i.Numbers[s.first:s.first+s.lanes], step, "CX")
	case Gather:
		return s.gathered(i)
	case And, Or, Xor, Add, Mul:
		args := s.swapped(i.Args)
		if i.Op == Mul {
			return s.product(args)
		}
		name := bitwise[i.Op]
		if i.Op == Add {
			name = arithmetic[Add] + letter
		}
		return s.operation(name, s.get(args[0]), args[1])
	case Sub:
		return s.operation(arithmetic[Sub]+letter, s.get(i.Args[0]), i.Args[1])
	case Shl, Shr:
		return s.shiftedBy(i)
	case ShlBy, ShrBy, SarBy:
		return s.movedBy(i.Op, s.get(i.Args[0]), s.get(i.Args[1]))
	case Count:
		return s.count(s.get(i.Args[0]))
	case Keep:
		m, not := s.of[i.Args[0]], s.not[i.Args[0]]
		if not {
			return s.operation("VPANDN", m, i.Args[1])
		}
		return s.operation("VPAND", m, i.Args[1])
	case Blend:
		return s.choice(i.Args[0], s.get(i.Args[1]), s.get(i.Args[2]))
	}
	s.err = errOperation
	return noReg
}

// choice is x in the lanes of a mask, else y.
func (s *selector) choice(mask Value, x, y reg) reg {
	if s.not[mask] {
		x, y = y, x
	}
	return s.emit(false, false, "VPBLENDVB {0}, {1}, {2}, {d}", s.of[mask], x, y)
}

// lanesOf chooses the instructions of i, whose result is a mask, or its opposite.
func (s *selector) lanesOf(i Inst) (r reg, not bool) {
	switch i.Op {
	case LoadMask:
		numbers := make([]int, s.lanes)
		for l := range numbers {
			numbers[l] = s.first + l
		}
		return s.bitsAt(i.At, numbers, s.step), false
	case PickMask:
		step, _ := period(i.Numbers, s.step)
		return s.bitsAt(i.At, i.Numbers[s.first:s.first+s.lanes], step), false
	case Equal, NotEqual, Less, LessEqual, LessSigned:
		return s.compared(i)
	case Test:
		return s.tested(i)
	case MaskNot:
		return s.of[i.Args[0]], !s.not[i.Args[0]]
	}
	x, y := i.Args[0], i.Args[1]
	a, b, na, nb := s.of[x], s.of[y], s.not[x], s.not[y]
	switch i.Op {
	case MaskXor:
		return s.apply("VPXOR", a, b), na != nb
	case MaskOr:
		r, not := s.both(a, b, !na, !nb)
		return r, !not
	case MaskAndNot:
		nb = !nb
	}
	return s.both(a, b, na, nb)
}

// both is the lanes of two masks, or of their opposites.
func (s *selector) both(a, b reg, na, nb bool) (r reg, not bool) {
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
func (s *selector) compared(i Inst) (r reg, not bool) {
	letter, args := suffix(s.size), i.Args
	equal := func(x reg, y Value) reg { return s.operation("VPCMPEQ"+letter, x, y) }
	if a, ok := s.k.constant(args[0]); ok {
		if b, ok := s.k.constant(args[1]); ok && (i.Op == Equal || i.Op == NotEqual) {
			return s.ones(), (a == b) != (i.Op == Equal)
		}
	}
	switch i.Op {
	case Equal, NotEqual:
		args = s.swapped(args)
		return equal(s.get(args[0]), args[1]), i.Op == NotEqual
	case LessSigned:
		return s.operation("VPCMPGT"+letter, s.get(args[1]), args[0]), false
	}
	if i.Op == Less { // unless 1 is at most 0
		args = []Value{args[1], args[0]}
	}
	if s.size == 64 {
		flip := func(v Value) reg { return s.with("VPXOR", s.get(v), 1<<63) }
		return s.apply("VPCMPGTQ", flip(args[0]), flip(args[1])), i.Op == LessEqual
	}
	x := s.get(args[0])
	least := s.operation("VPMINU"+letter, x, args[1])
	return s.apply("VPCMPEQ"+letter, x, least), i.Op == Less
}

// tested tells where one of some bits is set.
func (s *selector) tested(i Inst) (r reg, not bool) {
	if of := s.k.Insts[i.Args[0]]; of.Op == Table {
		lanes := make([]int, len(of.Numbers))
		for l, n := range of.Numbers {
			if uint64(n)&i.Imm != 0 {
				lanes[l] = -1
			}
		}
		return s.numbers(lanes), false
	}
	x, bits := s.get(i.Args[0]), i.Imm&s.k.ones()
	if bits != s.k.ones() {
		x = s.with("VPAND", x, bits)
	}
	name := "VPCMPEQ" + suffix(s.size)
	if bits&(bits-1) == 0 {
		return s.with(name, x, bits), false
	}
	return s.apply(name, x, s.number(0)), true
}

// extending loads the present lanes of a place.
func (s *selector) extending(at Place) string {
	if at.Size == s.size {
		return fmt.Sprintf("VMOVDQU %s, {d}", s.words(at))
	}
	return fmt.Sprintf("VPMOVZX%s%s %s, {d}", suffix(at.Size), suffix(s.size), s.words(at))
}

// broadcast takes what is at a place into each lane.
func (s *selector) broadcast(at Place) reg {
	if at.Size == s.size {
		return s.emit(false, true, fmt.Sprintf("VPBROADCAST%s %s, {d}", suffix(at.Size), field(at)))
	}
	move := map[int]string{8: "MOVBLZX", 16: "MOVWLZX", 32: "MOVL"}[at.Size]
	return s.emit(false, true, fmt.Sprintf("%s %s, R9\n\tVMOVQ R9, {d:X}\n\tVPBROADCAST%s {d:X}, {d}", move, field(at), suffix(s.size)))
}

// gathered reads memory at places that the lanes tell. The instruction spoils its mask.
func (s *selector) gathered(i Inst) reg {
	mask, not := s.of[i.Args[1]], s.not[i.Args[1]]
	copied := s.emit(false, false, "VMOVDQA {0}, {d}", mask)
	if not {
		copied = s.apply("VPXOR", mask, s.ones())
	}
	zero := s.emit(false, false, "VPXOR {d}, {d}, {d}")
	x := s.change(fmt.Sprintf("VPGATHER%[1]s%[1]s {2}, %[2]s({1}*1), {d}", suffix(s.size), field(i.At)), zero, s.get(i.Args[0]), copied)
	if i.At.Size == s.size {
		return x
	}
	return s.with("VPAND", x, 1<<i.At.Size-1)
}

// shiftedBy moves by a constant number of bits. There is no such instruction for bytes.
func (s *selector) shiftedBy(i Inst) reg {
	name, keep := "VPSLL", s.k.ones()<<i.Imm&s.k.ones()
	if i.Op == Shr {
		name, keep = "VPSRL", s.k.ones()>>i.Imm
	}
	x, size := s.get(i.Args[0]), s.size
	if size > 8 {
		return s.shifted(name+suffix(size), x, int(i.Imm))
	}
	return s.with("VPAND", s.shifted(name+"W", x, int(i.Imm)), keep)
}

// blended puts words into memory and gathers the changes.
func (s *selector) blended(i Inst) {
	x, same := s.get(i.Args[0]), i.At.Size == s.size
	var changes reg
	switch masked := len(i.Args) == 2; {
	case masked, i.Group >= 0 && !same:
		old := s.emit(false, false, s.extending(i.At))
		if masked {
			x = s.choice(i.Args[1], x, old)
		}
		if i.Group >= 0 {
			changes = s.apply("VPXOR", x, old)
		}
	case i.Group >= 0:
		changes = s.emit(false, false, fmt.Sprintf("VPXOR %s, {0}, {d}", s.words(i.At)), x)
	}
	if i.Group >= 0 {
		s.note(i.Group, changes)
	}
	if same {
		s.effect(fmt.Sprintf("VMOVDQU {0}, %s", s.words(i.At)), x)
	} else {
		s.narrowed(i.At, x)
	}
}

// note adds changes to those of a group.
func (s *selector) note(group int, changes reg) {
	sum, at := s.sum(group)
	if at == "" {
		s.effect(fmt.Sprintf("VPOR {0}, %[1]s, %[1]s", sum), changes)
		return
	}
	changes = s.emit(false, false, fmt.Sprintf("VPOR %s, {0}, {d}", at), changes)
	s.effect(fmt.Sprintf("VMOVDQU {0}, %s", at), changes)
}

// narrowed stores the low bits of words: a shuffle brings those of each half to a place of its
// own.
func (s *selector) narrowed(at Place, x reg) {
	each, half := at.Size/8, 128/s.size
	index := make([]byte, 32)
	for i := range index {
		index[i] = 0x80
	}
	for l := range s.lanes {
		for b := range each {
			index[l/half*16+l*each+b] = byte(l%half*s.size/8 + b)
		}
	}
	x = s.emit(false, false, fmt.Sprintf("VPSHUFB tables<>+%d(SB), {0}, {d}", s.a.table(index)), x)
	if s.vector == 256 {
		high := s.emit(false, false, "VEXTRACTI128 $1, {0}, {d:X}", x)
		x = s.emit(false, false, "VPOR {1:X}, {0:X}, {d:X}", x, high)
	}
	move := map[int]string{16: "VMOVDQU", 8: "VMOVQ", 4: "VMOVD", 2: "VPEXTRW $0,"}[s.lanes*each]
	s.effect(fmt.Sprintf("%s {0:X}, %s", move, s.words(at)), x)
}

// storeBitsOf puts the bits of a mask into memory and gathers the changes.
func (s *selector) storeBitsOf(i Inst) {
	at := s.bits(i.At, 0)
	text, uses := s.collected("R9", i.Args[0], nil)
	up := func(register string) {
		if by := s.first % 8; by > 0 { // their place in a byte
			text += fmt.Sprintf("\tSHLL $%d, %s\n", by, register)
		}
	}
	up("R9")
	if s.lanes >= 8 && len(i.Args) == 1 && i.Group < 0 {
		s.effect(fmt.Sprintf("%s\t%s R9, %s", text, s.storeBits(), at), uses...)
		return
	}
	text += fmt.Sprintf("\t%s %s, R8\n\tXORQ R8, R9\n", s.moveBits(), at)
	if s.lanes < 8 { // others have the rest of the byte
		text += fmt.Sprintf("\tANDL $%#x, R9\n", s.part())
	}
	if len(i.Args) == 2 {
		var more string
		more, uses = s.collected(spare, i.Args[1], uses)
		text += more
		up(spare)
		text += fmt.Sprintf("\tANDQ %s, R9\n", spare)
	}
	if i.Group >= 0 {
		text += fmt.Sprintf("\tORQ R9, %s\n", s.union(i.Group))
	}
	s.effect(fmt.Sprintf("%s\tXORQ R8, R9\n\t%s R9, %s", text, s.storeBits(), at), uses...)
}

// collected moves the bits of a mask to a general register. It uses one register beside others.
func (s *selector) collected(to string, mask Value, others []reg) (text string, uses []reg) {
	x, n := s.of[mask], len(others)
	switch {
	case s.size == 16 && s.vector == 256:
		x = s.emit(false, false, "VPERMQ $0xd8, {0}, {d}", s.apply("VPACKSSWB", x, x))
		text = fmt.Sprintf("VPMOVMSKB {%d:X}, %s\n", n, to)
	case s.size == 16:
		x = s.apply("VPACKSSWB", x, x)
		text = fmt.Sprintf("VPMOVMSKB {%d}, %s\n\tMOVBLZX %s, %s\n", n, to, to, to)
	default:
		name := map[int]string{8: "VPMOVMSKB", 32: "VMOVMSKPS", 64: "VMOVMSKPD"}[s.size]
		text = fmt.Sprintf("%s {%d}, %s\n", name, n, to)
	}
	if n > 0 {
		text = "\t" + text
	}
	if s.not[mask] {
		text += fmt.Sprintf("\tXORL $%#x, %s\n", uint32(1<<s.lanes-1), to)
	}
	return text, append(others, x)
}
