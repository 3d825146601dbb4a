package kernel

import (
	"fmt"
	"strings"
)

// A copy has two parts: for each vector, the bytes of the lanes that copy go to the end of two
// lists on the stack; a loop over these comes last. Its length is that of what is done, and no
// step of it waits for the one before.

// counter is the register with the length of the lists, spare one for the loop.
const counter, spare = "R14", "R13"

// copies tells whether k ends with a copy.
func (k *Kernel) copies() bool { return len(k.Insts) > 0 && k.Insts[len(k.Insts)-1].Op == Copy }

// pairBytes is the size of the lists.
func (s *selector) pairBytes() int {
	if !s.k.copies() {
		return 0
	}
	return 2 * s.listBytes()
}

func (s *selector) listBytes() int { return s.k.Lanes * s.k.Widest / 8 }

// pair appends what the present lanes copy to the lists.
func (s *selector) pair(i Inst) {
	mask := s.get(i.Args[2])
	for n := range 2 {
		x := s.emit(false, false, fmt.Sprintf("VPCOMPRESS%s.Z {1}, {0}, {d}", suffix(s.k.Widest)), mask, s.get(i.Args[n]))
		s.effect(fmt.Sprintf("VMOVDQU64 {0}, %s", s.listed(n, counter)), x)
	}
	own := ""
	if s.lanes < 8 { // the rest of the byte is of other lanes
		own = fmt.Sprintf("\tANDL $%d, R9\n", 1<<s.lanes-1)
	}
	s.effect(fmt.Sprintf("KMOV%s {0}, R9\n%s\tPOPCNTQ R9, R9\n\tADDQ R9, %s", s.maskSuffix(), own, counter), mask)
}

// listed is an element of a list by a register.
func (s *selector) listed(list int, index string) string {
	return fmt.Sprintf("%d(SP)(%s*%d)", s.taken()+list*s.listBytes(), index, s.k.Widest/8)
}

// copying prints the loop over the lists.
func (s *selector) copying(b *strings.Builder, i Inst) {
	load := map[int]string{32: "MOVL", 64: "MOVQ"}[s.k.Widest]
	fmt.Fprintf(b, "\tXORL CX, CX\n\tTESTQ %s, %s\n\tJEQ %s\n%s:\n", counter, counter, s.label("copied"), s.label("copy"))
	fmt.Fprintf(b, "\t%s %s, R9\n\t%s %s, R8\n", load, s.listed(0, "CX"), load, s.listed(1, "CX"))
	size := min(i.At.Size, 64)
	for n := range i.At.Size / size {
		from, to := i.From, i.At
		from.Bytes += 8 * n
		to.Bytes += 8 * n
		s.piece(b, field(from)+"(R9*1)", field(to)+"(R8*1)", size, i.Group)
	}
	fmt.Fprintf(b, "\tINCQ CX\n\tCMPQ CX, %s\n\tJLT %s\n%s:\n", counter, s.label("copy"), s.label("copied"))
}

// piece prints a copy of so many bits.
func (s *selector) piece(b *strings.Builder, from, to string, size, group int) {
	load := map[int]string{8: "MOVBLZX", 16: "MOVWLZX", 32: "MOVL", 64: "MOVQ"}[size]
	store := map[int]string{8: "MOVB", 16: "MOVW", 32: "MOVL", 64: "MOVQ"}[size]
	fmt.Fprintf(b, "\t%s %s, DX\n", load, from)
	if group >= 0 {
		fmt.Fprintf(b, "\t%s %s, %s\n\tXORQ DX, %s\n\tORQ %s, %s\n", load, to, spare, spare, spare, s.union(group))
	}
	fmt.Fprintf(b, "\t%s DX, %s\n", store, to)
}
