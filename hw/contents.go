package hw

import (
	"os"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// ROM is a memory of words of type T that nothing writes.
type ROM[T any] struct{ mem Mem[T] }

// Read is the word at addr, as Mem.Read gives it; 0 beyond the last one.
func (rom ROM[T]) Read(addr Bits) T { return rom.mem.read(addr, ir.Caller(0)) }

// Style sets the ram_style attribute, as Mem.Style does.
func (rom ROM[T]) Style(style string) ROM[T] { return ROM[T]{rom.mem.styled(style, ir.Caller(0))} }

// ROM declares a memory that holds words, constants of one width, and that nothing
// writes.
func (m *Module) ROM(name string, words []Bits) ROM[Bits] {
	pos := ir.Caller(0)
	width := 1
	if len(words) > 0 {
		width = max(words[0].Width(), 1)
	}
	g := m.memory(name, max(len(words), 1), width, pos)
	mem := Mem[Bits]{m, g.ir, Shape[Bits]{numbers(width)}, g}
	mem.init(words, pos)
	return ROM[Bits]{mem}
}

// ROM declares a memory of m that holds words, of this shape and constant, and that
// nothing writes.
func (s Shape[T]) ROM(m *Module, name string, words []T) ROM[T] {
	pos := ir.Caller(0)
	mem := s.memory(m, name, max(len(words), 1), pos)
	mem.init(words, pos)
	return ROM[T]{mem}
}

// Init gives the memory contents: constants, from word 0 on; words that are not given
// are zero. It holds them whenever power comes, and a reset does not bring them back.
func (mem Mem[T]) Init(words []T) Mem[T] {
	pos := ir.Caller(0)
	if mem.declared(use{pos: pos}) {
		mem.init(words, pos)
	}
	return mem
}

func (mem Mem[T]) init(words []T, pos ir.Pos) {
	m, g := mem.m, mem.ir
	u := m.statement(pos)
	switch {
	case len(words) == 0:
		u.errorf("memory", "memory %q: contents of no words", g.Name)
	case len(words) > g.Depth:
		u.errorf("memory", "memory %q: %d values for %d words", g.Name, len(words), g.Depth)
	case g.Init != nil:
		u.errorf("memory", "memory %q has contents already", g.Name)
	case g.Style == "ultra":
		u.errorf("memory", "memory %q: a memory of style ultra cannot have contents; use block", g.Name)
	}
	if u.broken {
		return
	}
	size := ir.Words(g.Width)
	g.Init = make([]uint64, g.Depth*size)
	for i, w := range words {
		packed := pack(w, pos)
		x := m.statement(pos, packed.value)
		v := x.want(packed.value, g.Width, "value")
		if x.broken {
			return
		}
		if !evaluate(v.e, g.InitWord(i), 0) {
			x.errorf("const", "memory %q: the value of word %d is not constant", g.Name, i)
			return
		}
	}
}

// evaluate puts the bits of e, a constant or constants joined, into out from bit lo
// on. It tells whether e is that.
func evaluate(e *ir.Expr, out []uint64, lo int) bool {
	switch e.Op {
	case ir.Const:
		insert(out, lo, e.Val)
		return true
	case ir.Pack:
		return evaluate(e.Args[0], out, lo)
	case ir.VecOf: // the first element is least significant
		for _, a := range e.Args {
			if !evaluate(a, out, lo) {
				return false
			}
			lo += a.Type.Width
		}
		return true
	case ir.Concat: // the last operand is
		for i := len(e.Args) - 1; i >= 0; i-- {
			if !evaluate(e.Args[i], out, lo) {
				return false
			}
			lo += e.Args[i].Type.Width
		}
		return true
	}
	return false
}

// insert adds x to out, which is zero there, from bit lo on.
func insert(out []uint64, lo int, x []uint64) {
	for i, w := range x {
		at, shift := lo/64+i, lo%64
		if w<<shift != 0 {
			out[at] |= w << shift
		}
		if high := w >> (64 - shift); high != 0 {
			out[at+1] |= high
		}
	}
}

// Lits are constants of width bits, as contents of a memory.
func Lits[T ~int | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64](width int, values []T) []Bits {
	out := make([]Bits, len(values))
	for i, v := range values {
		out[i] = Lit(width, uint64(v))
	}
	return out
}

// HexFile are the words of a file in the form of Verilog's $readmemh, for a memory of
// depth words of width bits: hexadecimal numbers, @ before the address of the next
// one, comments as in Go. Words that the file skips are zero. The file is read now:
// the Verilog holds the words and needs no file.
func (m *Module) HexFile(name string, depth, width int) []Bits {
	pos := ir.Caller(0)
	u := m.statement(pos)
	text, err := os.ReadFile(name)
	if err != nil {
		u.errorf("memory", "contents: %v", err)
		return nil
	}
	if depth < 1 || depth > ir.MaxDepth {
		u.errorf("memory", "contents of %d words; depths are 1 to %d", depth, ir.MaxDepth)
	}
	if !u.allowed(ir.Type{Width: width}) || u.broken {
		return nil
	}
	words, err := parseHex(string(text), depth, width)
	if err != nil {
		u.errorf("memory", "contents: %s:%v", name, err)
	}
	out := make([]Bits, len(words))
	for i, w := range words {
		out[i] = Bits{&value{e: &ir.Expr{Op: ir.Const, Type: ir.Type{Width: width}, Val: w, Pos: pos}}}
	}
	return out
}
