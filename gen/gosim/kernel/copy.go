package kernel

import (
	"fmt"
	"math/bits"
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
	pieces := s.pieces(i)
	for _, p := range pieces {
		p.begin(b)
	}
	fmt.Fprintf(b, "\tXORL CX, CX\n\tTESTQ %s, %s\n\tJEQ %s\n%s:\n", counter, counter, s.label("copied"), s.label("copy"))
	fmt.Fprintf(b, "\t%s %s, R9\n\t%s %s, R8\n", load, s.listed(0, "CX"), load, s.listed(1, "CX"))
	for _, p := range pieces {
		p.print(b)
	}
	fmt.Fprintf(b, "\tINCQ CX\n\tCMPQ CX, %s\n\tJLT %s\n%s:\n", counter, s.label("copy"), s.label("copied"))
	for _, p := range pieces {
		p.end(b)
	}
}

// piece is a part of what a lane copies, which an instruction loads and another stores.
type piece struct {
	s        *selector
	size     int
	from, to string
	group    int
}

// pieces are as large as they can be.
func (s *selector) pieces(i Inst) (out []piece) {
	from, to := i.From, i.At
	for rest := i.At.Size; rest > 0; {
		size := s.longest
		for size > rest {
			size /= 2
		}
		out = append(out, piece{s, size, field(from) + "(R9*1)", field(to) + "(R8*1)", i.Group})
		from.Bytes += size / 8
		to.Bytes += size / 8
		rest -= size
	}
	return out
}

// register is one for vectors of the size of p.
func (p piece) register(n int) string { return fmt.Sprintf("%s%d", letter(p.size), n) }

// changes gathers those of all pieces of a size that are vectors.
func (p piece) changes() string { return p.register(bits.Len(uint(p.size / 128))) }

// gathers tells whether p gathers changes in a vector.
func (p piece) gathers() bool { return p.size > 64 && p.group >= 0 }

func (p piece) begin(b *strings.Builder) {
	if p.gathers() {
		fmt.Fprintf(b, "\t%[1]s %[2]s, %[2]s, %[2]s\n", p.s.xor, p.changes())
	}
}

// print prints the copy.
func (p piece) print(b *strings.Builder) {
	if p.size > 64 {
		x, change := p.register(4), p.register(5)
		fmt.Fprintf(b, "\t%s %s, %s\n", p.s.move, p.from, x)
		if p.group >= 0 {
			fmt.Fprintf(b, "\t%s %s, %s, %s\n\t%s %s, %s, %s\n", p.s.xor, p.to, x, change, p.s.or, change, p.changes(), p.changes())
		}
		fmt.Fprintf(b, "\t%s %s, %s\n", p.s.move, x, p.to)
		return
	}
	load := map[int]string{8: "MOVBLZX", 16: "MOVWLZX", 32: "MOVL", 64: "MOVQ"}[p.size]
	store := map[int]string{8: "MOVB", 16: "MOVW", 32: "MOVL", 64: "MOVQ"}[p.size]
	fmt.Fprintf(b, "\t%s %s, DX\n", load, p.from)
	if p.group >= 0 {
		fmt.Fprintf(b, "\t%s %s, %s\n\tXORQ DX, %s\n\tORQ %s, %s\n", load, p.to, spare, spare, spare, p.s.union(p.group))
	}
	fmt.Fprintf(b, "\t%s DX, %s\n", store, p.to)
}

func (p piece) end(b *strings.Builder) {
	if p.gathers() {
		fmt.Fprintf(b, p.s.test+"\tORQ R9, %[2]s\n", p.s.letter+p.changes()[1:], p.s.union(p.group))
	}
}
