package kernel

import (
	"fmt"
	"maps"
	"slices"
)

// maskSuffix is the letter of the size of masks.
func (s *selector) maskSuffix() string { return suffix(max(s.lanes, 8)) }

// binary is an operation whose second operand may be a number in memory, if its words are
// as long as those of the instruction.
func (s *selector) binary(mask bool, name string, size int, imm string, args []Value) reg {
	x := s.get(args[0])
	if c, ok := s.k.constant(args[1]); ok && size >= 32 {
		return s.emit(mask, false, fmt.Sprintf("%s.BCST %s%s, {0}, {d}", name, imm, s.a.constant(c, s.size)), x)
	}
	return s.emit(mask, false, fmt.Sprintf("%s %s{1}, {0}, {d}", name, imm), x, s.get(args[1]))
}

// bitwise are the instructions that do not care for the size of words.
var bitwise = map[Op]string{And: "VPAND", Or: "VPOR", Xor: "VPXOR"}

// arithmetic are the instructions by the size of words.
var arithmetic = map[Op]string{Add: "VPADD", Sub: "VPSUB", ShlBy: "VPSLLV", ShrBy: "VPSRLV", SarBy: "VPSRAV"}

// predicates are the numbers of comparisons.
var predicates = map[Op]int{Equal: 0, NotEqual: 4, Less: 1, LessEqual: 2, LessSigned: 1}

// logic are the instructions on masks.
var logic = map[Op]string{MaskAnd: "KAND", MaskOr: "KOR", MaskXor: "KXOR"}

// AVX512 is the extensions of the first processors that have all of them: F, BW, CD, DQ, VL,
// VBMI, BITALG, VPOPCNTDQ and GFNI.
var AVX512 = &Target{
	Name: "AVX512", longest: 512, sizes: true, letter: "Z", registers: 32, sums: 14, groups: 14, move: "VMOVDQU64", xor: "VPXORQ", or: "VPORQ",
	test:   "\tVPTESTMQ %[1]s, %[1]s, K1\n\tKMOVB K1, R9\n",
	choose: (*selector).inst,
}

// opposite is the lanes that a mask has not. A comparison or a test that nothing else needs is made the other way round.
func (s *selector) opposite(mask Value) reg {
	x := s.k.Insts[mask]
	predicate, ok := predicates[x.Op]
	if !ok && x.Op != Test || x.Op == LessSigned || s.uses[mask] > 1 {
		return s.emit(true, false, fmt.Sprintf("KNOT%s {0}, {d}", s.maskSuffix()), s.get(mask))
	}
	s.size = s.k.wordBits(x)
	if x.Op == Test {
		return s.testing("VPTESTNM", x)
	}
	return s.binary(true, "VPCMPU"+suffix(s.size), s.size, fmt.Sprintf("$%d, ", predicate^4), x.Args)
}

// testing tells where a bit of some is set, or none, as the name of the instruction says.
func (s *selector) testing(name string, i Inst) reg {
	x := s.get(i.Args[0])
	name += suffix(s.size)
	switch {
	case i.Imm == ones(s.size):
		return s.emit(true, false, name+" {0}, {0}, {d}", x)
	case s.size >= 32:
		return s.emit(true, false, fmt.Sprintf("%s.BCST %s, {0}, {d}", name, s.a.constant(i.Imm, s.size)), x)
	}
	return s.emit(true, false, name+" {1}, {0}, {d}", x, s.number(i.Imm))
}

// inst chooses the instructions of i, which computes v.
func (s *selector) inst(v Value, i Inst) {
	size := s.size
	sfx := suffix(size)
	switch i.Op {
	case Const: // where it is used
	case Table:
		s.of[v] = s.numbers(i.Numbers)
	case Load:
		s.of[v] = s.load(i.At)
	case Splat:
		s.of[v] = s.splat(i.At)
	case Pick:
		s.of[v] = s.pick(i)
	case Gather:
		s.of[v] = s.gather(i)
	case LoadMask:
		s.of[v] = s.emit(true, true, fmt.Sprintf("KMOV%s %s, {d}", s.maskSuffix(), s.bits(i.At, 0)))
		s.loading(i.At)
	case PickMask:
		s.of[v] = s.pickMask(i)
	case And, Or, Xor:
		if m, ok := s.merged(i); ok {
			s.of[v] = m
			return
		}
		args := i.Args
		if _, ok := s.k.constant(args[0]); ok {
			args = []Value{args[1], args[0]}
		}
		unit := max(size, 32)
		s.of[v] = s.binary(false, bitwise[i.Op]+suffix(unit), unit, "", args)
	case Add, Sub, ShlBy, ShrBy, SarBy:
		s.of[v] = s.binary(false, arithmetic[i.Op]+sfx, size, "", i.Args)
	case Mul:
		s.of[v] = s.binary(false, "VPMULL"+sfx, size, "", i.Args)
	case Shl, Shr:
		s.of[v] = s.shift(i)
	case Count:
		s.of[v] = s.emit(false, false, fmt.Sprintf("VPOPCNT%s {0}, {d}", sfx), s.get(i.Args[0]))
	case LeadingZeros:
		s.of[v] = s.emit(false, false, fmt.Sprintf("VPLZCNT%s {0}, {d}", sfx), s.get(i.Args[0]))
	case Parities:
		s.of[v] = s.parities(i)
	case Equal, NotEqual, Less, LessEqual:
		s.of[v] = s.binary(true, "VPCMPU"+sfx, size, fmt.Sprintf("$%d, ", predicates[i.Op]), i.Args)
	case LessSigned:
		s.of[v] = s.binary(true, "VPCMP"+sfx, size, "$1, ", i.Args)
	case Test:
		s.of[v] = s.testing("VPTESTM", i)
	case Keep:
		s.of[v] = s.emit(false, false, fmt.Sprintf("VMOVDQU%d.Z {1}, {0}, {d}", size), s.get(i.Args[0]), s.get(i.Args[1]))
	case Blend:
		s.of[v] = s.blend(s.get(i.Args[0]), s.get(i.Args[1]), s.get(i.Args[2]))
	case MaskAnd, MaskOr, MaskXor:
		s.of[v] = s.emit(true, false, fmt.Sprintf("%s%s {1}, {0}, {d}", logic[i.Op], s.maskSuffix()), s.get(i.Args[0]), s.get(i.Args[1]))
	case MaskAndNot:
		s.of[v] = s.without(s.get(i.Args[0]), s.get(i.Args[1]))
	case MaskNot:
		s.of[v] = s.opposite(i.Args[0])
	case Store:
		s.store(i)
	case StoreMask:
		s.storeMask(i)
	case StoreWords:
		s.storeWords(i)
	case Resize:
		from := s.k.Insts[i.Args[0]].Size
		if c, ok := s.k.constant(i.Args[0]); ok { // which simplifying has found to be one
			s.of[v] = s.number(c & ones(from))
			return
		}
		s.of[v] = s.resize(s.get(i.Args[0]), from)
	case Row:
		s.of[v] = s.row(i)
	case StoreRow:
		s.storeRow(i)
	case Scatter:
		s.scatter(i)
	case Copy:
		s.pair(i)
	case Begin:
		s.begin(s.get(i.Args[0]))
	case End:
		s.end()
	}
}

// begin leaves out what follows, as far as end, if no lane is in a mask.
func (s *selector) begin(mask reg) {
	s.outside = maps.Clone(s.rows)
	text := fmt.Sprintf("KORTEST%s {0}, {0}\n\tJEQ %s", s.maskSuffix(), s.left())
	s.code = append(s.code, instr{text: text, uses: []reg{mask}, def: noReg, part: begins})
}

func (s *selector) end() {
	s.code = append(s.code, instr{text: s.left() + ":", def: noReg, part: ends})
	s.rows = s.outside
	s.skips++
}

// left is the place behind what may be left out.
func (s *selector) left() string { return s.label(fmt.Sprintf("left%d", s.skips)) }

// merged is i, the union of words that nothing else needs with others in the lanes of a mask, by one
// instruction; false if it is something else.
func (s *selector) merged(i Inst) (reg, bool) {
	if i.Op != Or || s.size < 32 {
		return noReg, false
	}
	for n, a := range i.Args {
		x, other := s.k.Insts[a], i.Args[1-n]
		if x.Op != Keep || s.uses[other] > 1 || s.k.Insts[other].Op == Const {
			continue
		}
		mask, to := s.get(x.Args[0]), s.get(other)
		if c, ok := s.k.constant(x.Args[1]); ok {
			return s.change(fmt.Sprintf("VPOR%s.BCST %s, {0}, {1}, {d}", suffix(s.size), s.a.constant(c, s.size)), to, mask), true
		}
		return s.change(fmt.Sprintf("VPOR%s {1}, {0}, {2}, {d}", suffix(s.size)), to, s.get(x.Args[1]), mask), true
	}
	return noReg, false
}

// without is a mask less another.
func (s *selector) without(x, y reg) reg {
	return s.emit(true, false, fmt.Sprintf("KANDN%s {0}, {1}, {d}", s.maskSuffix()), x, y)
}

// blend is a in the lanes of a mask, else b.
func (s *selector) blend(mask, a, b reg) reg {
	return s.emit(false, false, fmt.Sprintf("VPBLENDM%s {1}, {2}, {0}, {d}", suffix(s.size)), mask, a, b)
}

// shift moves by a constant number of bits. There is no such instruction for bytes.
func (s *selector) shift(i Inst) reg {
	name, keep := "VPSLL", ones(s.size)<<i.Imm
	if i.Op == Shr {
		name, keep = "VPSRL", ones(s.size)>>i.Imm
	}
	x := s.get(i.Args[0])
	if s.size > 8 {
		return s.emit(false, false, fmt.Sprintf("%s%s $%d, {0}, {d}", name, suffix(s.size), i.Imm), x)
	}
	y := s.emit(false, false, fmt.Sprintf("%sW $%d, {0}, {d}", name, i.Imm), x)
	return s.emit(false, false, fmt.Sprintf("VPANDD.BCST %s, {0}, {d}", s.a.constant(keep&0xff, 8)), y)
}

// load takes the present lanes of a place.
func (s *selector) load(at Place) reg {
	r := s.emit(false, true, s.loaded(at))
	s.loading(at)
	if at.Away {
		s.ahead(at)
	}
	return r
}

// ahead fetches into the caches what most likely follows the present lanes of a place away: those of the next
// turn, and the same lanes of the next cycle, of a part that lies behind this one.
func (s *selector) ahead(at Place) {
	if s.k.Next.Loads {
		s.effect("PREFETCHT1 " + at.Part + "__size+" + s.words(at))
	}
	if s.looped && s.lanes*at.Size == 512 { // a line of the cache
		at.Bytes += 64
		s.effect("PREFETCHT0 " + s.words(at))
	}
}

// line fetches the line of what lies behind a part that this turn is to fetch.
func (s *selector) line(part string) {
	at := fmt.Sprintf("%s__size+%d(%s)", part, 64*(s.first/s.lanes), away)
	if s.looped {
		at += fmt.Sprintf("(CX*%d)", 64/s.lanes)
	}
	s.effect("PREFETCHT1 " + at)
}

func (s *selector) loaded(at Place) string {
	if s.half() && at.Size == s.size {
		return fmt.Sprintf("VMOVQ %s, {d}", s.words(at))
	}
	if at.Size == s.size {
		return fmt.Sprintf("VMOVDQU64 %s, {d}", s.words(at))
	}
	return fmt.Sprintf("VPMOVZX%s%s %s, {d}", suffix(at.Size), suffix(s.size), s.words(at))
}

// half tells whether the present words are half of the shortest vector.
func (s *selector) half() bool { return s.lanes*s.size == 64 }

// resize is x, of words of so many bits, in words of the present size.
func (s *selector) resize(x reg, from int) reg {
	if from < s.size {
		return s.emit(false, false, fmt.Sprintf("VPMOVZX%s%s {0}, {d}", suffix(from), suffix(s.size)), x)
	}
	return s.emit(false, false, fmt.Sprintf("VPMOV%s%s {0}, {d}", suffix(from), suffix(s.size)), x)
}

// splat takes what is at a place into each lane.
func (s *selector) splat(at Place) reg {
	if at.Size == s.size {
		return s.emit(false, true, fmt.Sprintf("VPBROADCAST%s %s, {d}", suffix(at.Size), field(at)))
	}
	move := map[int]string{8: "MOVBLZX", 16: "MOVWLZX", 32: "MOVL"}[at.Size]
	return s.emit(false, true, fmt.Sprintf("%s %s, R9\n\tVPBROADCAST%s R9, {d}", move, field(at), suffix(s.size)))
}

// gather reads memory at places that the lanes tell. The instruction spoils its mask.
func (s *selector) gather(i Inst) reg {
	mask := s.emit(true, false, "KMOVQ {0}, {d}", s.get(i.Args[1]))
	zero := s.emit(false, false, "VPXORQ {d}, {d}, {d}")
	x := s.change(fmt.Sprintf("VPGATHER%[1]s%[1]s %[2]s({1}*1), {2}, {d}", suffix(s.size), field(i.At)), zero, s.get(i.Args[0]), mask)
	if i.At.Size == s.size {
		return x
	}
	return s.emit(false, false, fmt.Sprintf("VPANDQ.BCST %s, {0}, {d}", s.a.constant(1<<i.At.Size-1, s.size)), x)
}

// store puts words into memory and gathers the changes.
func (s *selector) store(i Inst) {
	x := s.get(i.Args[0])
	sum := ""
	if i.Group >= 0 {
		sum, _ = s.sum(i.Group)
	}
	switch {
	case len(i.Args) == 2 && sum == "" && i.At.Size == s.size && s.size >= 32:
		s.storing(i.At)
		s.effect(fmt.Sprintf("VMOVDQU%d {0}, {1}, %s", s.size, s.words(i.At)), x, s.get(i.Args[1]))
		return
	case len(i.Args) == 2:
		old := s.emit(false, false, s.loaded(i.At))
		x = s.blend(s.get(i.Args[1]), x, old)
		s.differs(sum, x, old)
	case sum != "" && i.At.Size == s.size && !s.half():
		s.effect(fmt.Sprintf("VPTERNLOGD $0xf6, %s, {0}, %s", s.words(i.At), sum), x)
	case sum != "":
		s.differs(sum, x, s.emit(false, false, s.loaded(i.At)))
	}
	s.storing(i.At)
	if s.half() && i.At.Size == s.size {
		s.effect(fmt.Sprintf("VMOVQ {0}, %s", s.words(i.At)), x)
	} else if i.At.Size == s.size {
		s.effect(fmt.Sprintf("VMOVDQU64 {0}, %s", s.words(i.At)), x)
	} else {
		s.effect(fmt.Sprintf("VPMOV%s%s {0}, %s", suffix(s.size), suffix(i.At.Size), s.words(i.At)), x)
	}
}

// differs gathers the differences of words in a register, if it has a name.
func (s *selector) differs(sum string, x, y reg) {
	switch {
	case sum == "":
	case s.half():
		d := s.emit(false, false, "VPXORD {1}, {0}, {d}", x, y)
		d = s.emit(false, false, "VMOVQ {0}, {d}", d) // without what is above
		s.effect(fmt.Sprintf("VPORD {0}, %[1]s, %[1]s", sum), d)
	default:
		s.effect(fmt.Sprintf("VPTERNLOGD $0xf6, {1}, {0}, %s", sum), x, y)
	}
}

// storeWords weaves lanes of words, and puts them into memory.
func (s *selector) storeWords(i Inst) {
	n, index := i.At.Size/64, make([]byte, 64)
	lanes := noReg // all bits of those that are stored
	if len(i.Args) > n {
		lanes = s.emit(false, false, "VPMOVM2Q {0}, {d}", s.get(i.Args[n]))
	}
	for v := range n {
		var x reg
		var order reg
		for w, a := range i.Args[:n] {
			in := 0
			for l := range s.lanes {
				at := v*s.lanes + l
				index[8*l] = byte(at / n)
				if at%n == w {
					in |= 1 << l
				}
			}
			order = s.constant(false, fmt.Sprintf("VMOVDQU64 tables<>+%d(SB), {d:Z}", s.a.table(slices.Clone(index))))
			if w == 0 {
				x = s.emit(false, false, "VPERMQ {0}, {1}, {d}", s.get(a), order)
				continue
			}
			mask := s.constant(true, fmt.Sprintf("MOVL $%#x, R9\n\tKMOVB R9, {d}", in))
			x = s.change("VPERMQ {1}, {2}, {3}, {d}", x, s.get(a), order, mask)
		}
		at := i.At
		at.Bytes += 8 * v * s.lanes
		if !s.looped {
			at.Bytes += 8 * n * s.first
		}
		pre, to := s.place(at, 0, 8*n*s.lanes, s.lanes, "CX")
		if lanes != noReg {
			mask := s.emit(true, false, "VPMOVQ2M {0}, {d}", s.emit(false, false, "VPERMQ {0}, {1}, {d}", lanes, order))
			x = s.emit(false, false, fmt.Sprintf("%sVPBLENDMQ {0}, {1}, {2}, {d}", pre), x, s.emit(false, false, fmt.Sprintf("%sVMOVDQU64 %s, {d}", pre, to)), mask)
		}
		if i.Group >= 0 {
			sum, _ := s.sum(i.Group)
			s.effect(fmt.Sprintf("%sVPTERNLOGD $0xf6, %s, {0}, %s", pre, to, sum), x)
		}
		s.effect(fmt.Sprintf("%sVMOVDQU64 {0}, %s", pre, to), x)
	}
}

// there tells whether a mask lies in memory, so that a general register copies it, in half the time of one for masks.
func (s *selector) there(mask Value) bool {
	i := s.k.Insts[mask]
	return i.Op == LoadMask && s.loads[i.At] != nil
}

// storeMask puts bits into memory and gathers the changes.
func (s *selector) storeMask(i Inst) {
	x, at := s.get(i.Args[0]), s.bits(i.At, 0)
	if s.there(i.Args[0]) && len(i.Args) == 1 && i.Group < 0 && s.lanes >= 8 {
		s.storing(i.At)
		s.effect(fmt.Sprintf("%s %s, R9\n\t%s R9, %s", s.moveBits(), s.bits(s.k.Insts[i.Args[0]].At, 0), s.storeBits(), at))
		return
	}
	if len(i.Args) == 2 {
		m := s.get(i.Args[1])
		old := s.emit(true, false, fmt.Sprintf("KMOV%s %s, {d}", s.maskSuffix(), at))
		x = s.emit(true, false, fmt.Sprintf("KAND%s {1}, {0}, {d}", s.maskSuffix()), x, m)
		old = s.without(old, m)
		x = s.emit(true, false, fmt.Sprintf("KOR%s {1}, {0}, {d}", s.maskSuffix()), x, old)
	}
	if i.Group < 0 && s.lanes >= 8 {
		s.storing(i.At)
		s.effect(fmt.Sprintf("KMOV%s {0}, %s", s.maskSuffix(), at), x)
		return
	}
	text := fmt.Sprintf("KMOV%s {0}, R9\n", s.maskSuffix())
	switch {
	case s.lanes < 8: // others have the rest of the byte
		text += fmt.Sprintf("\tMOVBLZX %s, R8\n\tXORL R8, R9\n\tANDL $%d, R9\n", at, 1<<s.lanes-1)
		if i.Group >= 0 {
			text += fmt.Sprintf("\tORQ R9, %s\n", s.union(i.Group))
		}
		text += "\tXORL R8, R9\n"
	case i.Group >= 0:
		text += fmt.Sprintf("\t%s %s, R8\n\tXORQ R9, R8\n\tORQ R8, %s\n", s.moveBits(), at, s.union(i.Group))
	}
	s.storing(i.At)
	s.effect(text+fmt.Sprintf("\t%s R9, %s", s.storeBits(), at), x)
}
