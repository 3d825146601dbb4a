package kernel

import (
	"fmt"
	"slices"
	"strings"
)

// reg is a register before it has a number.
type reg int

const noReg reg = -1

// instr is an instruction of the machine. {0} in its text is the first register that it
// reads, {d} the one that it sets, {d:Z} the same by its longest name.
type instr struct {
	text  string
	uses  []reg
	def   reg
	tied  bool // it changes the first register that it reads
	pure  bool // it may be done again at any time
	until int  // instruction after which that is over; 0 if it never is
	part  part // it begins or ends what may be left out
}

// again tells whether i can be done whenever its result is needed.
func (i instr) again() bool { return i.pure && len(i.uses) == 0 }

// part is what an instruction does to a part of the code that may be left out.
type part uint8

const (
	begins part = iota + 1
	ends
)

// selector chooses the instructions of a kernel.
type selector struct {
	*Target
	a        *Assembly
	k        *Kernel
	vector   int // bits of a vector
	lanes    int // of a vector of the widest words
	size     int // bits of the words of the present instruction
	step     int // lanes of a turn of a loop
	looped   bool
	first    int // lane of the present vector
	code     []instr
	kinds    []string // letters of registers
	of       map[Value]reg
	fixed    map[string]reg           // registers of what is always the same, by what gives it
	loads    map[Place][]int          // instructions that load what lies at a place
	uses     []int                    // of values
	rows     map[rowsAt][RowWords]reg // by word
	not      map[Value]bool           // masks of which the register has the opposite
	outside  map[rowsAt][RowWords]reg // rows that were there before what may be left out
	skips    int                      // parts that may be left out, so far
	totals   []int                    // groups of changes of words, by accumulator
	unions   []int                    // of masks
	scatters int                      // so far
	err      error
}

// mostGroups is the greatest number of groups of changes: a kernel tells them in a word.
const mostGroups = 31

// general are the registers that gather changes of masks; those of further groups are on
// the stack. R15 is not among them: programs that are linked dynamically lose it at each
// use of a constant.
var general = []string{"BX", "SI", "DI", "R10", "R11", "R12"}

// away is the register of the part that the model only points to. It is one of those that gather changes, so
// that kernels that read there tell none.
const away = "R12"

// again are registers that are like those which lanes and their bytes of masks are counted in, but begin again
// with each round. They are two of those that gather changes, too.
var again = map[string]string{"CX": "R10", "DX": "R11"}

// index is a register that lanes or their bytes of masks are counted in, or the one for a place.
func index(by string, at Place) string {
	if at.Again {
		return again[by]
	}
	return by
}

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

// label is a place in the body of a function that has one for each target.
func (s *selector) label(name string) string { return name + s.Name }

// framed is the instructions of all vectors between what they need at first and what the kernel tells at last.
func (s *selector) framed(vectors string) string {
	b := &strings.Builder{}
	s.size = s.k.Widest
	for _, g := range s.totals {
		x, at := s.sum(g)
		fmt.Fprintf(b, "\t%[1]s %[2]s, %[2]s, %[2]s\n", s.xor, x)
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
	if part := s.k.away(); part != "" {
		fmt.Fprintf(b, "\tMOVQ Model_%s(AX), %s\n", part, away)
	}
	if s.looped {
		fmt.Fprintf(b, "\tXORL CX, CX\n\tXORL DX, DX\n")
		if s.k.Round > 0 {
			fmt.Fprintf(b, "%s:\n\tXORL %s, %s\n\tXORL %s, %s\n", s.label("round"), again["CX"], again["CX"], again["DX"], again["DX"])
		}
		fmt.Fprintf(b, "%s:\n", s.label("loop"))
	}
	b.WriteString(vectors)
	if s.looped {
		fmt.Fprintf(b, "\tADDQ $%d, CX\n\tADDQ $%d, DX\n", s.step, s.step/8)
		from := "loop"
		if s.k.Round > 0 {
			fmt.Fprintf(b, "\tADDQ $%d, %s\n\tADDQ $%d, %s\n\tCMPQ %[2]s, $%[5]d\n\tJLT %[6]s\n", s.step, again["CX"], s.step/8, again["DX"], s.k.Round, s.label("loop"))
			from = "round"
		}
		fmt.Fprintf(b, "\tCMPQ CX, $%d\n\tJLT %s\n", s.k.Lanes, s.label(from))
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
	return b.String()
}

// block prints the instructions for one vector, with registers. The result is how many
// bytes of the stack they need.
func (s *selector) block(b *strings.Builder, v int) int {
	s.code, s.kinds, s.of, s.not, s.loads = nil, nil, map[Value]reg{}, map[Value]bool{}, map[Place][]int{}
	s.fixed = map[string]reg{}
	s.rows = map[rowsAt][RowWords]reg{}
	skip := s.label(fmt.Sprintf("skip%d", v))
	if s.k.Masked {
		fmt.Fprintf(b, "\t%s %s, R9\n", s.moveBits(), s.bits(s.k.Mask, 0))
		if s.lanes < s.step {
			fmt.Fprintf(b, "\tANDL $%#x, R9\n", s.part())
		}
		fmt.Fprintf(b, "\tTESTQ R9, R9\n\tJEQ %s\n", skip)
	}
	if part := s.k.Next.Turns; part != "" {
		s.line(part)
	}
	for n, i := range s.k.Insts {
		s.size = s.k.wordBits(i)
		s.choose(s, Value(n), i)
	}
	text, frame := allocate(s.Target, s.code, s.kinds, s.registers-min(len(s.totals), s.sums), s.taken()+s.pairBytes()+s.scratchBytes())
	b.WriteString(text)
	if s.k.Masked {
		fmt.Fprintf(b, "%s:\n", skip)
	}
	return frame
}

// name is the letter of registers for vectors of the present words.
func (s *selector) name() string {
	return letter(s.lanes * s.size)
}

// letter is that of registers for vectors of so many bits.
func letter(bits int) string {
	switch {
	case bits <= 128:
		return "X"
	case bits == 256:
		return "Y"
	}
	return "Z"
}

// wordBits is the size of the words of i, the widest ones where it does not say.
func (k *Kernel) wordBits(i Inst) int {
	if i.Size == 0 {
		return k.Widest
	}
	return i.Size
}

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

// field is the memory of a place: its offset in the model, which AX points to, or in a part away.
func field(at Place) string {
	part := at.Part
	if part == "" {
		part = "state"
	}
	if at.Away {
		return fmt.Sprintf("%s_%s+%d(%s)", part, at.Field, at.Bytes, away)
	}
	return fmt.Sprintf("Model_%[1]s+%[1]s_%[2]s+%[3]d(AX)", part, at.Field, at.Bytes)
}

// away is the part that the model only points to; empty if k reads nothing there and fetches nothing.
func (k *Kernel) away() string {
	if k.Next.Turns != "" {
		return k.Next.Turns
	}
	for _, i := range k.Insts {
		for _, at := range []Place{i.At, i.From} {
			if at.Away {
				return at.Part
			}
		}
	}
	return ""
}

// words is the memory of the present lanes of a place.
func (s *selector) words(at Place) string {
	at.Bytes += s.first * at.Size / 8
	if s.looped {
		return fmt.Sprintf("%s(%s*%d)", field(at), index("CX", at), at.Size/8)
	}
	return field(at)
}

// bits is the memory of the present bits of a mask, bytes behind.
func (s *selector) bits(at Place, bytes int) string {
	at.Bytes += bytes + s.first/8
	if s.looped {
		return fmt.Sprintf("%s(%s*1)", field(at), index("DX", at))
	}
	return field(at)
}

// moveBits loads the bits of a vector into a general register.
func (s *selector) moveBits() string {
	return map[int]string{2: "MOVBLZX", 4: "MOVBLZX", 8: "MOVBLZX", 16: "MOVWLZX", 32: "MOVL", 64: "MOVQ"}[s.lanes]
}

// storeBits is the reverse.
func (s *selector) storeBits() string {
	return map[int]string{2: "MOVB", 4: "MOVB", 8: "MOVB", 16: "MOVW", 32: "MOVL", 64: "MOVQ"}[s.lanes]
}

// fresh is a register that nothing uses yet.
func (s *selector) fresh(mask bool) reg {
	kind := s.name()
	if mask {
		kind = "K"
	}
	s.kinds = append(s.kinds, kind)
	return reg(len(s.kinds) - 1)
}

// emit appends an instruction with a result of the same kind as text says.
func (s *selector) emit(mask, pure bool, text string, uses ...reg) reg {
	d := s.fresh(mask)
	s.code = append(s.code, instr{text: text, uses: uses, def: d, pure: pure})
	return d
}

// constant is the register of what an instruction without operands always gives, which nothing may change.
func (s *selector) constant(mask bool, text string) reg {
	key := s.name() + text
	r, ok := s.fixed[key]
	if !ok {
		r = s.emit(mask, true, text)
		s.fixed[key] = r
	}
	return r
}

// loading notes that the last instruction loads what lies at a place, or storing that the next
// stores something else there.
func (s *selector) loading(at Place) {
	at.Size = 0
	s.loads[at] = append(s.loads[at], len(s.code)-1)
}

func (s *selector) storing(at Place) {
	at.Size = 0
	for _, n := range s.loads[at] {
		s.code[n].until = len(s.code)
	}
	delete(s.loads, at)
}

// effect appends an instruction without a result.
func (s *selector) effect(text string, uses ...reg) {
	s.code = append(s.code, instr{text: text, uses: uses, def: noReg})
}

// change appends an instruction that changes its first operand.
func (s *selector) change(text string, uses ...reg) reg {
	d := s.fresh(false)
	s.kinds[d] = s.kinds[uses[0]]
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
		return s.constant(false, s.xor+" {d}, {d}, {d}")
	}
	return s.constant(false, fmt.Sprintf("VPBROADCAST%s %s, {d}", suffix(s.size), s.a.constant(x, s.size)))
}

// numbers is a register with a number for each lane.
func (s *selector) numbers(numbers []int) reg {
	at, each := s.table(numbers), s.size/8
	if s.looped {
		return s.emit(false, true, fmt.Sprintf("LEAQ tables<>+%d(SB), R8\n\t%s (R8)(CX*%d), {d}", at+s.first*each, s.move, each))
	}
	return s.emit(false, true, fmt.Sprintf("%s tables<>+%d(SB), {d}", s.move, at+s.first*each))
}

// table is the offset of words among the tables.
func (s *selector) table(numbers []int) int {
	each := s.size / 8
	bytes := make([]byte, 0, len(numbers)*each)
	for _, n := range numbers {
		for i := range each {
			bytes = append(bytes, byte(uint64(n)>>(8*i)))
		}
	}
	return s.a.table(bytes)
}
