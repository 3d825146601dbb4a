package avx512

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// A scatter writes a vector and the addresses of its words to the stack, and stores word by word.
// There is no scatter instruction for short words, and the instruction for other words takes as
// long.

// scatter stores the lanes of a mask one by one.
func (s *selector) scatter(i kernel.Inst) {
	data := s.Scratch()
	addresses, size := data+64, s.Size/8
	s.scatters++
	name := s.Label(fmt.Sprintf("scatter%d", s.scatters))
	text := fmt.Sprintf("KMOV%s {2}, R9\n\tTESTQ R9, R9\n\tJEQ %sdone\n", s.maskSuffix(), name)
	text += fmt.Sprintf("\tVMOVDQU64 {0}, %d(SP)\n\tVMOVDQU64 {1}, %d(SP)\n", data, addresses)
	text += fmt.Sprintf("%s:\n\tTZCNTQ R9, R8\n", name)
	from := map[int]string{4: "MOVL", 8: "MOVQ"}[size]
	text += fmt.Sprintf("\t%s %d(SP)(R8*%d), R13\n", from, addresses, size)
	at := kernel.Address(i.At) + "(R13*1)"
	load := map[int]string{8: "MOVBLZX", 16: "MOVWLZX", 32: "MOVL", 64: "MOVQ"}[i.At.Size]
	store := map[int]string{8: "MOVB", 16: "MOVW", 32: "MOVL", 64: "MOVQ"}[i.At.Size]
	text += fmt.Sprintf("\t%s %d(SP)(R8*%d), R14\n", load, data, size)
	if i.Group >= 0 {
		text += fmt.Sprintf("\t%s %s, R8\n\tXORQ R14, R8\n\tORQ R8, %s\n", load, at, s.Union(i.Group))
	}
	text += fmt.Sprintf("\t%s R14, %s\n\tBLSRQ R9, R9\n\tJNE %s\n%sdone:", store, at, name, name)
	s.Effect(text, s.Get(i.Args[0]), s.Get(i.Args[1]), s.Get(i.Args[2]))
}
