package kernel

import (
	"fmt"
	"slices"
	"strings"
)

// Assembly is kernels as a file of Go assembly.
type Assembly struct {
	text   []string // of functions
	consts []uint64
	tables [][]byte
	known  map[string]int // tables by content
}

// NewAssembly is a file without kernels.
func NewAssembly() *Assembly { return &Assembly{known: map[string]int{}} }

// constant is where x lies, the same in each word of size bits of 64.
func (a *Assembly) constant(x uint64, size int) string {
	for s := size; s < 64; s *= 2 {
		x |= x << s
	}
	i := slices.Index(a.consts, x)
	if i < 0 {
		i = len(a.consts)
		a.consts = append(a.consts, x)
	}
	return fmt.Sprintf("constants<>+%d(SB)", 8*i)
}

// table is the offset of bytes among the tables. One that is longer than half a cache line
// begins a line.
func (a *Assembly) table(bytes []byte) int {
	for len(bytes)%32 != 0 {
		bytes = append(bytes, 0)
	}
	if known, ok := a.known[string(bytes)]; ok {
		return known
	}
	at := 0
	for _, t := range a.tables {
		at += len(t)
	}
	if len(bytes) > 32 && at%64 != 0 {
		a.tables = append(a.tables, make([]byte, 32))
		at += 32
	}
	a.tables = append(a.tables, bytes)
	a.known[string(bytes)] = at
	return at
}

// reg is a register before it has a number.
type reg int

const noReg reg = -1

// instr is an instruction of the machine. {0} in its text is the first register that it
// reads, {d} the one that it sets, {d:Z} the same by its longest name.
type instr struct {
	text string
	uses []reg
	def  reg
	tied bool // it changes the first register that it reads
	pure bool // it may be done again at any time
}

// again tells whether i can be done whenever its result is needed.
func (i instr) again() bool { return i.pure && len(i.uses) == 0 }

// selector chooses the instructions of a kernel.
type selector struct {
	*Target
	a      *Assembly
	k      *Kernel
	vector int // bits of a vector
	lanes  int // of a vector
	step   int // lanes of a turn of a loop
	looped bool
	first  int // lane of the present vector
	code   []instr
	masks  []bool // registers that are masks
	of     map[Value]reg
	not    map[Value]bool // masks of which the register has the opposite
	totals []int          // groups of changes of words, by accumulator
	unions []int          // of masks
	err    error
}

// mostGroups is the greatest number of groups of changes: a kernel tells them in a word.
const mostGroups = 31

// general are the registers that gather changes of masks; those of further groups are on
// the stack. R15 is not among them: programs that are linked dynamically lose it at each
// use of a constant.
var general = []string{"BX", "SI", "DI", "R10", "R11", "R12"}

// groups are those of the changes by some operations.
func (k *Kernel) groups(ops ...Op) (out []int) {
	for _, i := range k.Insts {
		if slices.Contains(ops, i.Op) && i.Group >= 0 && !slices.Contains(out, i.Group) {
			out = append(out, i.Group)
		}
	}
	return out
}

// unrolled is the greatest number of instructions of a kernel without a loop.
const unrolled = 120

// Add appends kernels, as functions with the kernel's name and the target's; an error says
// what one needs that there is not, and leaves the file as it was.
func (a *Assembly) Add(on *Target, kernels ...*Kernel) error {
	text, consts, tables := len(a.text), len(a.consts), len(a.tables)
	for _, k := range kernels {
		err := k.Verify()
		if err == nil {
			err = a.add(k, on)
		}
		if err != nil {
			for _, t := range a.tables[tables:] {
				delete(a.known, string(t))
			}
			a.text, a.consts, a.tables = a.text[:text], a.consts[:consts], a.tables[:tables]
			return err
		}
	}
	return nil
}

func (a *Assembly) add(k *Kernel, on *Target) error {
	s := &selector{Target: on, a: a, k: k}
	s.totals, s.unions = k.groups(Store, StoreWords), k.groups(StoreMask, Copy)
	if len(s.totals) > s.groups || k.Groups > mostGroups {
		return fmt.Errorf("kernel %s: %d groups of changes", k.Name, k.Groups)
	}
	for s.vector = s.longest; k.Lanes*k.Size%s.vector != 0; s.vector /= 2 {
		if s.vector == 128 {
			return fmt.Errorf("kernel %s: %d lanes of %d bits are no vectors", k.Name, k.Lanes, k.Size)
		}
	}
	s.lanes = s.vector / k.Size
	s.step = max(s.lanes, min(8, k.Lanes))
	if s.lanes < s.step && !s.parts {
		return fmt.Errorf("kernel %s: %d lanes of %d bits are vectors of %d", k.Name, k.Lanes, k.Size, s.lanes)
	}
	vectors := k.Lanes / s.lanes
	s.looped = k.Lanes > s.step && k.Lanes%s.step == 0 && vectors*len(k.Insts) > unrolled && s.loops()
	if vectors*len(k.Insts) > 10*unrolled && !s.looped {
		return fmt.Errorf("kernel %s: %d vectors of %d instructions that differ", k.Name, vectors, len(k.Insts))
	}
	var body strings.Builder
	frame := 0
	for v := range vectors {
		s.first = v * s.lanes
		n := s.block(&body, v)
		frame = max(frame, n)
		if s.looped && s.first+s.lanes == s.step {
			break
		}
	}
	if s.err != nil {
		return fmt.Errorf("kernel %s: %w", k.Name, s.err)
	}
	s.function(body.String(), frame)
	return nil
}

// function prints a kernel around its body.
func (s *selector) function(body string, frame int) {
	b := &strings.Builder{}
	fmt.Fprintf(b, "\n// %s\nTEXT ·%s(SB), 0, $%d-16\n\tMOVQ s+0(FP), AX\n", s.k.Doc, s.k.Name+s.Name, frame)
	for _, g := range s.totals {
		x, at := s.sum(g)
		fmt.Fprintf(b, "\t%[1]s %[2]s, %[2]s, %[2]s\n", s.clear, x)
		if at != "" {
			fmt.Fprintf(b, "\t%s %s, %s\n", s.move, x, at)
		}
	}
	for i, g := range s.unions {
		if i < len(general) {
			fmt.Fprintf(b, "\tXORL %s, %s\n", s.union(g), s.union(g))
		} else {
			fmt.Fprintf(b, "\tMOVQ $0, %s\n", s.union(g))
		}
	}
	copies := s.k.copies()
	if copies {
		fmt.Fprintf(b, "\tXORL %s, %s\n", counter, counter)
	}
	if s.looped {
		b.WriteString("\tXORL CX, CX\n\tXORL DX, DX\nloop:\n")
	}
	b.WriteString(body)
	if s.looped {
		fmt.Fprintf(b, "\tADDQ $%d, CX\n\tADDQ $%d, DX\n\tCMPQ CX, $%d\n\tJLT loop\n", s.step, s.step/8, s.k.Lanes)
	}
	if copies {
		s.copying(b, s.k.Insts[len(s.k.Insts)-1])
	}
	b.WriteString("\tXORL AX, AX\n")
	flag := func(g int, r string) {
		fmt.Fprintf(b, "\tNEGQ %s\n\tSBBQ %s, %s\n\tANDL $%d, %s\n\tORL %s, AX\n", r, r, r, 1<<g, r, r)
	}
	for _, g := range s.totals {
		x, at := s.sum(g)
		if at != "" {
			fmt.Fprintf(b, "\t%s %s, %s\n", s.move, at, x)
		}
		fmt.Fprintf(b, s.test, x)
		flag(g, "R9")
	}
	for _, g := range s.unions {
		fmt.Fprintf(b, "\tMOVQ %s, R9\n", s.union(g))
		flag(g, "R9")
	}
	b.WriteString("\tMOVQ AX, ret+8(FP)\n\tVZEROUPPER\n\tRET\n")
	s.a.text = append(s.a.text, b.String())
}

// block prints the instructions for one vector, with registers. The result is how many
// bytes of the stack they need.
func (s *selector) block(b *strings.Builder, v int) int {
	s.code, s.masks, s.of, s.not = nil, nil, map[Value]reg{}, map[Value]bool{}
	skip := fmt.Sprintf("skip%d", v)
	if s.k.Masked {
		fmt.Fprintf(b, "\t%s %s, R9\n", s.moveBits(), s.bits(s.k.Mask, 0))
		if s.lanes < s.step {
			fmt.Fprintf(b, "\tANDL $%#x, R9\n", s.part())
		}
		fmt.Fprintf(b, "\tTESTQ R9, R9\n\tJEQ %s\n", skip)
	}
	for n, i := range s.k.Insts {
		s.choose(s, Value(n), i)
	}
	text, frame := allocate(s.Target, s.code, s.masks, s.name(), s.registers-min(len(s.totals), s.sums), s.taken()+s.pairBytes())
	b.WriteString(text)
	if s.k.Masked {
		fmt.Fprintf(b, "%s:\n", skip)
	}
	return frame
}

// name is the letter of vector registers.
func (s *selector) name() string { return map[int]string{128: "X", 256: "Y", 512: "Z"}[s.vector] }

// sum is the register that gathers the changes of words of a group, or any one for the time
// that it takes to move what is on the stack, and where.
func (s *selector) sum(g int) (register, stack string) {
	i := slices.Index(s.totals, g)
	if i < s.sums {
		return fmt.Sprintf("%s%d", s.name(), s.registers-1-i), ""
	}
	return s.name() + "0", fmt.Sprintf("%d(SP)", s.stacked()+(i-s.sums)*s.longest/8)
}

// stacked is the size of what gathers changes of masks on the stack; those of words follow.
func (s *selector) stacked() int { return 8 * max(0, len(s.unions)-len(general)) }

// taken is that of both.
func (s *selector) taken() int { return s.stacked() + max(0, len(s.totals)-s.sums)*s.longest/8 }

// part is the present lanes in a byte of a mask.
func (s *selector) part() int { return (1<<s.lanes - 1) << (s.first % 8) }

// union is what gathers those of masks.
func (s *selector) union(g int) string {
	i := slices.Index(s.unions, g)
	if i < len(general) {
		return general[i]
	}
	return fmt.Sprintf("%d(SP)", 8*(i-len(general)))
}

// suffix is the letter of the size of words, size in bits.
func suffix(size int) string { return map[int]string{8: "B", 16: "W", 32: "D", 64: "Q"}[size] }

// field is the offset of a place in the model.
func field(at Place) string { return fmt.Sprintf("Model_state+state_%s+%d", at.Field, at.Bytes) }

// words is the memory of the present lanes of a place.
func (s *selector) words(at Place) string {
	at.Bytes += s.first * at.Size / 8
	if s.looped {
		return fmt.Sprintf("%s(AX)(CX*%d)", field(at), at.Size/8)
	}
	return field(at) + "(AX)"
}

// bits is the memory of the present bits of a mask, bytes behind.
func (s *selector) bits(at Place, bytes int) string {
	at.Bytes += bytes + s.first/8
	if s.looped {
		return field(at) + "(AX)(DX*1)"
	}
	return field(at) + "(AX)"
}

// moveBits loads the bits of a vector into a general register.
func (s *selector) moveBits() string {
	return map[int]string{2: "MOVBLZX", 4: "MOVBLZX", 8: "MOVBLZX", 16: "MOVWLZX", 32: "MOVL", 64: "MOVQ"}[s.lanes]
}

// storeBits is the reverse.
func (s *selector) storeBits() string {
	return map[int]string{2: "MOVB", 4: "MOVB", 8: "MOVB", 16: "MOVW", 32: "MOVL", 64: "MOVQ"}[s.lanes]
}

// maskSuffix is the letter of the size of masks.
func (s *selector) maskSuffix() string { return suffix(max(s.lanes, 8)) }

// fresh is a register that nothing uses yet.
func (s *selector) fresh(mask bool) reg {
	s.masks = append(s.masks, mask)
	return reg(len(s.masks) - 1)
}

// emit appends an instruction with a result of the same kind as text says.
func (s *selector) emit(mask, pure bool, text string, uses ...reg) reg {
	d := s.fresh(mask)
	s.code = append(s.code, instr{text: text, uses: uses, def: d, pure: pure})
	return d
}

// effect appends an instruction without a result.
func (s *selector) effect(text string, uses ...reg) {
	s.code = append(s.code, instr{text: text, uses: uses, def: noReg})
}

// change appends an instruction that changes its first operand.
func (s *selector) change(text string, uses ...reg) reg {
	d := s.fresh(s.masks[uses[0]])
	s.code = append(s.code, instr{text: text, uses: uses, def: d, tied: true})
	return d
}

// get is the register of a value.
func (s *selector) get(v Value) reg {
	if i := s.k.Insts[v]; i.Op == Const {
		return s.number(i.Imm)
	}
	return s.of[v]
}

// number is a register with a number in each lane.
func (s *selector) number(x uint64) reg {
	if x == 0 {
		return s.emit(false, true, s.clear+" {d}, {d}, {d}")
	}
	return s.emit(false, true, fmt.Sprintf("VPBROADCAST%s %s, {d}", suffix(s.k.Size), s.a.constant(x, s.k.Size)))
}

// binary is an operation whose second operand may be a number in memory, if its words are
// as long as those of the instruction.
func (s *selector) binary(mask bool, name string, size int, imm string, args []Value) reg {
	x := s.get(args[0])
	if c, ok := s.k.constant(args[1]); ok && size >= 32 {
		return s.emit(mask, false, fmt.Sprintf("%s.BCST %s%s, {0}, {d}", name, imm, s.a.constant(c, s.k.Size)), x)
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

// AVX512 is the extensions of the first processors that have all of them: F, BW, DQ, VL,
// VBMI, BITALG and VPOPCNTDQ.
var AVX512 = &Target{
	Name: "AVX512", longest: 512, letter: "Z", registers: 32, sums: 14, groups: 14, move: "VMOVDQU64", clear: "VPXORQ",
	test:   "\tVPTESTMQ %[1]s, %[1]s, K1\n\tKMOVB K1, R9\n",
	choose: (*selector).inst,
}

// inst chooses the instructions of i, which computes v.
func (s *selector) inst(v Value, i Inst) {
	size := s.k.Size
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
	case PickMask:
		s.of[v] = s.pickMask(i)
	case And, Or, Xor:
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
	case Equal, NotEqual, Less, LessEqual:
		s.of[v] = s.binary(true, "VPCMPU"+sfx, size, fmt.Sprintf("$%d, ", predicates[i.Op]), i.Args)
	case LessSigned:
		s.of[v] = s.binary(true, "VPCMP"+sfx, size, "$1, ", i.Args)
	case Test:
		x := s.get(i.Args[0])
		if size >= 32 {
			s.of[v] = s.emit(true, false, fmt.Sprintf("VPTESTM%s.BCST %s, {0}, {d}", sfx, s.a.constant(i.Imm, size)), x)
		} else {
			s.of[v] = s.emit(true, false, fmt.Sprintf("VPTESTM%s {1}, {0}, {d}", sfx), x, s.number(i.Imm))
		}
	case Keep:
		s.of[v] = s.emit(false, false, fmt.Sprintf("VMOVDQU%d.Z {1}, {0}, {d}", size), s.get(i.Args[0]), s.get(i.Args[1]))
	case Blend:
		s.of[v] = s.blend(s.get(i.Args[0]), s.get(i.Args[1]), s.get(i.Args[2]))
	case MaskAnd, MaskOr, MaskXor:
		s.of[v] = s.emit(true, false, fmt.Sprintf("%s%s {1}, {0}, {d}", logic[i.Op], s.maskSuffix()), s.get(i.Args[0]), s.get(i.Args[1]))
	case MaskAndNot:
		s.of[v] = s.without(s.get(i.Args[0]), s.get(i.Args[1]))
	case MaskNot:
		s.of[v] = s.emit(true, false, fmt.Sprintf("KNOT%s {0}, {d}", s.maskSuffix()), s.get(i.Args[0]))
	case Store:
		s.store(i)
	case StoreMask:
		s.storeMask(i)
	case StoreWords:
		s.storeWords(i)
	case Copy:
		s.pair(i)
	}
}

// without is a mask less another.
func (s *selector) without(x, y reg) reg {
	return s.emit(true, false, fmt.Sprintf("KANDN%s {0}, {1}, {d}", s.maskSuffix()), x, y)
}

// blend is a in the lanes of a mask, else b.
func (s *selector) blend(mask, a, b reg) reg {
	return s.emit(false, false, fmt.Sprintf("VPBLENDM%s {1}, {2}, {0}, {d}", suffix(s.k.Size)), mask, a, b)
}

// shift moves by a constant number of bits. There is no such instruction for bytes.
func (s *selector) shift(i Inst) reg {
	name, keep := "VPSLL", s.k.ones()<<i.Imm
	if i.Op == Shr {
		name, keep = "VPSRL", s.k.ones()>>i.Imm
	}
	x := s.get(i.Args[0])
	if s.k.Size > 8 {
		return s.emit(false, false, fmt.Sprintf("%s%s $%d, {0}, {d}", name, suffix(s.k.Size), i.Imm), x)
	}
	y := s.emit(false, false, fmt.Sprintf("%sW $%d, {0}, {d}", name, i.Imm), x)
	return s.emit(false, false, fmt.Sprintf("VPANDD.BCST %s, {0}, {d}", s.a.constant(keep&0xff, 8)), y)
}

// load takes the present lanes of a place.
func (s *selector) load(at Place) reg { return s.emit(false, true, s.loading(at)) }

func (s *selector) loading(at Place) string {
	if at.Size == s.k.Size {
		return fmt.Sprintf("VMOVDQU64 %s, {d}", s.words(at))
	}
	return fmt.Sprintf("VPMOVZX%s%s %s, {d}", suffix(at.Size), suffix(s.k.Size), s.words(at))
}

// splat takes what is at a place into each lane.
func (s *selector) splat(at Place) reg {
	if at.Size == s.k.Size {
		return s.emit(false, true, fmt.Sprintf("VPBROADCAST%s %s(AX), {d}", suffix(at.Size), field(at)))
	}
	move := map[int]string{8: "MOVBLZX", 16: "MOVWLZX", 32: "MOVL"}[at.Size]
	return s.emit(false, true, fmt.Sprintf("%s %s(AX), R9\n\tVPBROADCAST%s R9, {d}", move, field(at), suffix(s.k.Size)))
}

// gather reads memory at places that the lanes tell. The instruction spoils its mask.
func (s *selector) gather(i Inst) reg {
	mask := s.emit(true, false, "KMOVQ {0}, {d}", s.get(i.Args[1]))
	zero := s.emit(false, false, "VPXORQ {d}, {d}, {d}")
	x := s.change(fmt.Sprintf("VPGATHER%[1]s%[1]s %[2]s(AX)({1}*1), {2}, {d}", suffix(s.k.Size), field(i.At)), zero, s.get(i.Args[0]), mask)
	if i.At.Size == s.k.Size {
		return x
	}
	return s.emit(false, false, fmt.Sprintf("VPANDQ.BCST %s, {0}, {d}", s.a.constant(1<<i.At.Size-1, s.k.Size)), x)
}

// numbers is a register with a number for each lane.
func (s *selector) numbers(numbers []int) reg {
	at, each := s.table(numbers), s.k.Size/8
	if s.looped {
		return s.emit(false, true, fmt.Sprintf("LEAQ tables<>+%d(SB), R8\n\t%s (R8)(CX*%d), {d}", at+s.first*each, s.move, each))
	}
	return s.emit(false, true, fmt.Sprintf("%s tables<>+%d(SB), {d}", s.move, at+s.first*each))
}

// table is the offset of words among the tables.
func (s *selector) table(numbers []int) int {
	each := s.k.Size / 8
	bytes := make([]byte, 0, len(numbers)*each)
	for _, n := range numbers {
		for i := range each {
			bytes = append(bytes, byte(uint64(n)>>(8*i)))
		}
	}
	return s.a.table(bytes)
}

// store puts words into memory and gathers the changes.
func (s *selector) store(i Inst) {
	x := s.get(i.Args[0])
	sum := ""
	if i.Group >= 0 {
		sum, _ = s.sum(i.Group)
	}
	switch {
	case len(i.Args) == 2:
		old := s.emit(false, false, s.loading(i.At))
		x = s.blend(s.get(i.Args[1]), x, old)
		if sum != "" {
			s.effect(fmt.Sprintf("VPTERNLOGD $0xf6, {1}, {0}, %s", sum), x, old)
		}
	case sum != "" && i.At.Size == s.k.Size:
		s.effect(fmt.Sprintf("VPTERNLOGD $0xf6, %s, {0}, %s", s.words(i.At), sum), x)
	case sum != "":
		old := s.emit(false, false, s.loading(i.At))
		s.effect(fmt.Sprintf("VPTERNLOGD $0xf6, {1}, {0}, %s", sum), x, old)
	}
	if i.At.Size == s.k.Size {
		s.effect(fmt.Sprintf("VMOVDQU64 {0}, %s", s.words(i.At)), x)
	} else {
		s.effect(fmt.Sprintf("VPMOV%s%s {0}, %s", suffix(s.k.Size), suffix(i.At.Size), s.words(i.At)), x)
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
			order = s.emit(false, true, fmt.Sprintf("VMOVDQU64 tables<>+%d(SB), {d:Z}", s.a.table(slices.Clone(index))))
			if w == 0 {
				x = s.emit(false, false, "VPERMQ {0}, {1}, {d}", s.get(a), order)
				continue
			}
			mask := s.emit(true, true, fmt.Sprintf("MOVL $%#x, R9\n\tKMOVB R9, {d}", in))
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

// storeMask puts bits into memory and gathers the changes.
func (s *selector) storeMask(i Inst) {
	x, at := s.get(i.Args[0]), s.bits(i.At, 0)
	if len(i.Args) == 2 {
		m := s.get(i.Args[1])
		old := s.emit(true, false, fmt.Sprintf("KMOV%s %s, {d}", s.maskSuffix(), at))
		x = s.emit(true, false, fmt.Sprintf("KAND%s {1}, {0}, {d}", s.maskSuffix()), x, m)
		old = s.without(old, m)
		x = s.emit(true, false, fmt.Sprintf("KOR%s {1}, {0}, {d}", s.maskSuffix()), x, old)
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
	s.effect(text+fmt.Sprintf("\t%s R9, %s", s.storeBits(), at), x)
}

// String is the file.
func (a *Assembly) String() string {
	var b strings.Builder
	b.WriteString("#include \"go_asm.h\"\n#include \"textflag.h\"\n")
	b.WriteString(strings.Join(a.text, ""))
	for i, x := range a.consts {
		fmt.Fprintf(&b, "\nDATA constants<>+%d(SB)/8, $%#x", 8*i, x)
	}
	if len(a.consts) > 0 {
		fmt.Fprintf(&b, "\nGLOBL constants<>(SB), RODATA|NOPTR, $%d\n", 8*len(a.consts))
	}
	at := 0
	for _, t := range a.tables {
		for i := 0; i < len(t); i += 8 {
			x := uint64(0)
			for k, c := range t[i : i+8] {
				x |= uint64(c) << (8 * k)
			}
			fmt.Fprintf(&b, "\nDATA tables<>+%d(SB)/8, $%#x", at, x)
			at += 8
		}
	}
	if at > 0 {
		fmt.Fprintf(&b, "\nGLOBL tables<>(SB), RODATA|NOPTR, $%d\n", at)
	}
	return b.String()
}
