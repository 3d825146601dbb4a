package hw

import (
	"os"
	"reflect"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// ROM is a read-only memory of words of type T.
type ROM[T any] struct{ g *memory }

// Read returns the word at addr, as Mem.Read does, or 0 beyond the last word.
func (rom ROM[T]) Read(addr Bits) (word T) {
	rom.g.read(addr, &word, ir.Caller(0))
	return word
}

// Style sets the ram_style attribute, as Mem.Style does.
func (rom ROM[T]) Style(style string) ROM[T] {
	rom.g.style(style, ir.Caller(0))
	return rom
}

// ROM declares a read-only memory that contains words, constants of one width.
func (m *Module) ROM(name string, words []Bits) ROM[Bits] {
	pos := ir.Caller(0)
	width := 1
	if len(words) > 0 {
		width = max(words[0].Width(), 1)
	}
	g := m.memory(name, max(len(words), 1), width, pos)
	g.init(words, pos)
	return ROM[Bits]{g}
}

// ROM declares a read-only memory of m that contains words, constants of this shape.
func (s Shape[T]) ROM(m *Module, name string, words []T) ROM[T] {
	pos := ir.Caller(0)
	g := m.memoryOf(s.s, name, max(len(words), 1), pos)
	g.init(words, pos)
	return ROM[T]{g}
}

// Init sets the initial contents of the memory: constants, from word 0 on. Remaining words are
// zero. The memory has these contents at power-up; a reset does not restore them.
func (mem Mem[T]) Init(words []T) Mem[T] {
	if pos := ir.Caller(0); mem.g.declared(use{pos: pos}) {
		mem.g.init(words, pos)
	}
	return mem
}

// init sets the contents. words is a slice of records.
func (g *memory) init(words any, pos ir.Pos) {
	list := reflect.ValueOf(words)
	u := g.m.statement(pos)
	switch {
	case list.Len() == 0:
		u.errorf("memory", "memory %q: contents of no words", g.ir.Name)
	case list.Len() > g.ir.Depth:
		u.errorf("memory", "memory %q: %d values for %d words", g.ir.Name, list.Len(), g.ir.Depth)
	case g.ir.Init != nil:
		u.errorf("memory", "memory %q has contents already", g.ir.Name)
	case g.ir.Style == "ultra":
		u.errorf("memory", "memory %q: a memory of style ultra cannot have contents; use block", g.ir.Name)
	}
	if u.broken {
		return
	}
	size := ir.Words(g.ir.Width)
	g.ir.Init = make([]uint64, g.ir.Depth*size)
	for i := range list.Len() {
		packed := pack(members(list.Index(i).Addr().Interface()), pos)
		x := g.m.statement(pos, packed.value)
		v := x.want(packed.value, g.ir.Width, "value")
		if x.broken {
			return
		}
		if !evaluate(v.e, g.ir.InitWord(i), 0) {
			x.errorf("const", "memory %q: the value of word %d is not constant", g.ir.Name, i)
			return
		}
	}
}

// evaluate writes the bits of e into out from bit lo on. It reports whether e is a constant or a
// concatenation of constants.
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
	case ir.Concat: // the last operand is least significant
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

// insert writes x to out from bit lo on. The target bits must be zero.
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

// Lits returns constants of width bits, for example as contents of a memory.
func Lits[T ~int | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64](width int, values []T) []Bits {
	out := make([]Bits, len(values))
	for i, v := range values {
		out[i] = Lit(width, uint64(v))
	}
	return out
}

// HexFile reads a file in the format of Verilog's $readmemh and returns its words, for a memory of
// depth words of width bits. The file contains hexadecimal numbers, addresses prefixed with @, and
// comments as in Go. Words that the file skips are zero. The Verilog contains the words and does
// not read the file.
func (m *Module) HexFile(name string, depth, width int) []Bits {
	pos := ir.Caller(0)
	u := m.statement(pos)
	text, err := os.ReadFile(name)
	if err != nil {
		u.errorf("memory", "contents of a memory: %v", err)
		return nil
	}
	if depth < 1 || depth > ir.MaxDepth {
		u.errorf("memory", "contents of %d words; expected 1 to %d", depth, ir.MaxDepth)
	}
	if !u.allowed(ir.Type{Width: width}) || u.broken {
		return nil
	}
	words, err := parseHex(string(text), depth, width)
	if err != nil {
		u.errorf("memory", "%s:%v", name, err)
	}
	out := make([]Bits, len(words))
	for i, w := range words {
		out[i] = Bits{&value{e: &ir.Expr{Op: ir.Const, Type: ir.Type{Width: width}, Val: w, Pos: pos}}}
	}
	return out
}
