package kernel

import (
	"fmt"
	"math/bits"
	"strings"
)

// A copy has two phases. For each vector, the addresses of the active lanes are appended to two
// lists on the stack. A loop over these lists follows at the end. It has one iteration per active
// lane, and no iteration waits for the previous one.

// Counter is the register with the length of the lists. Spare is a register for the loop, free
// before it.
const Counter, Spare = "R14", "R13"

// copies reports whether k ends with a copy.
func (k *Kernel) copies() bool { return len(k.Insts) > 0 && k.Insts[len(k.Insts)-1].Op == Copy }

// pairBytes returns the size in bytes of the lists.
func (c *Code) pairBytes() int {
	if !c.Kernel.copies() {
		return 0
	}
	return 2 * c.listBytes()
}

func (c *Code) listBytes() int { return c.Kernel.Lanes * c.Kernel.Widest / 8 }

// Listed returns the memory operand at the end of a list.
func (c *Code) Listed(list int) string { return c.element(list, Counter) }

// element returns the memory operand of an element of a list, indexed by a register.
func (c *Code) element(list int, index string) string {
	return fmt.Sprintf("%d(SP)(%s*%d)", c.taken()+list*c.listBytes(), index, c.Kernel.Widest/8)
}

// copying prints the loop over the lists.
func (c *Code) copying(b *strings.Builder, i Inst) {
	load := map[int]string{32: "MOVL", 64: "MOVQ"}[c.Kernel.Widest]
	pieces := c.pieces(i)
	for _, p := range pieces {
		p.begin(b)
	}
	fmt.Fprintf(b, "\tXORL CX, CX\n\tTESTQ %s, %s\n\tJEQ %s\n%s:\n", Counter, Counter, c.Label("copied"), c.Label("copy"))
	fmt.Fprintf(b, "\t%s %s, R9\n\t%s %s, R8\n", load, c.element(0, "CX"), load, c.element(1, "CX"))
	for _, p := range pieces {
		p.print(b)
	}
	fmt.Fprintf(b, "\tINCQ CX\n\tCMPQ CX, %s\n\tJLT %s\n%s:\n", Counter, c.Label("copy"), c.Label("copied"))
	for _, p := range pieces {
		p.end(b)
	}
}

// piece is a part of the data that a lane copies, moved by one load and one store.
type piece struct {
	c        *Code
	size     int
	from, to string
	group    int
}

// pieces returns the pieces that a lane copies, as large as possible.
func (c *Code) pieces(i Inst) (out []piece) {
	from, to := i.From, i.At
	for rest := i.At.Size; rest > 0; {
		size := c.on.Longest
		for size > rest {
			size /= 2
		}
		out = append(out, piece{c, size, Address(from) + "(R9*1)", Address(to) + "(R8*1)", i.Group})
		from.Bytes += size / 8
		to.Bytes += size / 8
		rest -= size
	}
	return out
}

// register returns a register for vectors of the size of p.
func (p piece) register(n int) string { return fmt.Sprintf("%s%d", letter(p.size), n) }

// changes returns the register that gathers the changes of all vector pieces of a size.
func (p piece) changes() string { return p.register(bits.Len(uint(p.size / 128))) }

// gathers reports whether p gathers changes in a vector register.
func (p piece) gathers() bool { return p.size > 64 && p.group >= 0 }

func (p piece) begin(b *strings.Builder) {
	if p.gathers() {
		fmt.Fprintf(b, "\t%[1]s %[2]s, %[2]s, %[2]s\n", p.c.on.Xor, p.changes())
	}
}

// print prints the copy.
func (p piece) print(b *strings.Builder) {
	if p.size > 64 {
		x, change := p.register(4), p.register(5)
		fmt.Fprintf(b, "\t%s %s, %s\n", p.c.on.Move, p.from, x)
		if p.group >= 0 {
			fmt.Fprintf(b, "\t%s %s, %s, %s\n\t%s %s, %s, %s\n", p.c.on.Xor, p.to, x, change, p.c.on.Or, change, p.changes(), p.changes())
		}
		fmt.Fprintf(b, "\t%s %s, %s\n", p.c.on.Move, x, p.to)
		return
	}
	load := map[int]string{8: "MOVBLZX", 16: "MOVWLZX", 32: "MOVL", 64: "MOVQ"}[p.size]
	store := map[int]string{8: "MOVB", 16: "MOVW", 32: "MOVL", 64: "MOVQ"}[p.size]
	fmt.Fprintf(b, "\t%s %s, DX\n", load, p.from)
	if p.group >= 0 {
		fmt.Fprintf(b, "\t%s %s, %s\n\tXORQ DX, %s\n\tORQ %s, %s\n", load, p.to, Spare, Spare, Spare, p.c.Union(p.group))
	}
	fmt.Fprintf(b, "\t%s DX, %s\n", store, p.to)
}

func (p piece) end(b *strings.Builder) {
	if p.gathers() {
		fmt.Fprintf(b, p.c.on.Test+"\tORQ R9, %[2]s\n", p.c.on.Letter+p.changes()[1:], p.c.Union(p.group))
	}
}
