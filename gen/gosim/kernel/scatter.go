package kernel

import (
	"fmt"
	"slices"
)

// A scatter puts a vector and where its words go on the stack, and stores word by word: there
// is no such instruction for short words, and the one for others takes as long.

// scratchBytes is the size of both on the stack, where rows have theirs, too.
func (s *selector) scratchBytes() int {
	if !slices.ContainsFunc(s.k.Insts, func(i Inst) bool { return slices.Contains([]Op{Scatter, Row, StoreRow}, i.Op) }) {
		return 0
	}
	return 2 * s.longest / 8
}

// scatter stores the lanes of a mask one by one.
func (s *selector) scatter(i Inst) {
	data := s.taken() + s.pairBytes()
	addresses, size := data+s.longest/8, s.size/8
	s.scatters++
	name := s.label(fmt.Sprintf("scatter%d", s.scatters))
	text := fmt.Sprintf("KMOV%s {2}, R9\n\tTESTQ R9, R9\n\tJEQ %sdone\n", s.maskSuffix(), name)
	text += fmt.Sprintf("\tVMOVDQU64 {0}, %d(SP)\n\tVMOVDQU64 {1}, %d(SP)\n", data, addresses)
	text += fmt.Sprintf("%s:\n\tTZCNTQ R9, R8\n", name)
	from := map[int]string{4: "MOVL", 8: "MOVQ"}[size]
	text += fmt.Sprintf("\t%s %d(SP)(R8*%d), R13\n", from, addresses, size)
	at := field(i.At) + "(R13*1)"
	load := map[int]string{8: "MOVBLZX", 16: "MOVWLZX", 32: "MOVL", 64: "MOVQ"}[i.At.Size]
	store := map[int]string{8: "MOVB", 16: "MOVW", 32: "MOVL", 64: "MOVQ"}[i.At.Size]
	text += fmt.Sprintf("\t%s %d(SP)(R8*%d), R14\n", load, data, size)
	if i.Group >= 0 {
		text += fmt.Sprintf("\t%s %s, R8\n\tXORQ R14, R8\n\tORQ R8, %s\n", load, at, s.union(i.Group))
	}
	text += fmt.Sprintf("\t%s R14, %s\n\tBLSRQ R9, R9\n\tJNE %s\n%sdone:", store, at, name, name)
	s.effect(text, s.get(i.Args[0]), s.get(i.Args[1]), s.get(i.Args[2]))
}
