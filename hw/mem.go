package hw

import "github.com/hotline-rtl/hotline/hw/ir"

// Mem is a memory of words of type T.
type Mem[T any] struct {
	m   *Module
	ir  *ir.Mem
	of  Shape[T]
	use *memoryUse
}

// Mem declares a memory of depth words of width bits. No reset affects it. A word is unknown until
// it is written, unless Init sets the contents. Engines start with zeros or with random words
// (sim.PowerUp); Icarus Verilog can start with X. A memory that is never written reads as zero.
func (m *Module) Mem(name string, depth, width int) Mem[Bits] {
	pos := ir.Caller(0)
	g := m.memory(name, depth, width, pos)
	return Mem[Bits]{m, g.ir, Shape[Bits]{numbers(width)}, g}
}

// Mem declares a memory of m with depth words of this shape, as Module.Mem does for numbers. In
// the Verilog a word is a number, the first field most significant.
func (s Shape[T]) Mem(m *Module, name string, depth int) Mem[T] {
	return s.memory(m, name, depth, ir.Caller(0))
}

func (s Shape[T]) memory(m *Module, name string, depth int, pos ir.Pos) Mem[T] {
	width := 1
	if m.sound(s.s, pos) {
		width = s.s.root.bits()
	}
	g := m.memory(name, depth, width, pos)
	g.ir.Doc = s.layout()
	return Mem[T]{m, g.ir, s, g}
}

func (m *Module) memory(name string, depth, width int, pos ir.Pos) *memoryUse {
	m.statement(pos)
	name = m.under + name
	m.claim("memory", name, pos)
	if depth < 1 || depth > ir.MaxDepth || width < 1 || width > ir.MaxWidth {
		m.errorf(pos, "memory", "memory %q: %d words of %d bits; depths are 1 to %d, widths to %d", name, depth, width, ir.MaxDepth, ir.MaxWidth)
		depth, width = min(max(depth, 1), ir.MaxDepth), min(max(width, 1), ir.MaxWidth)
	}
	mem := &ir.Mem{Name: name, Depth: depth, Width: width, Scope: m.scope, Domain: m.here("memory", name, pos), Pos: pos}
	m.scope.Mems = append(m.scope.Mems, mem)
	g := &memoryUse{ir: mem}
	m.memories = append(m.memories, g)
	return g
}

// Style sets the ram_style attribute: block, ultra, distributed or registers.
func (mem Mem[T]) Style(style string) Mem[T] {
	return mem.styled(style, ir.Caller(0))
}

func (mem Mem[T]) styled(style string, pos ir.Pos) Mem[T] {
	if !mem.declared(use{pos: pos}) {
		return mem
	}
	if style == "ultra" && mem.ir.Init != nil {
		mem.m.errorf(pos, "memory", "memory %q: a memory of style ultra cannot have contents; use block", mem.ir.Name)
		return mem
	}
	if !ir.RAMStyle(style) {
		mem.m.errorf(pos, "memory", "memory %q has no style %q; use block, ultra, distributed or registers", mem.ir.Name, style)
		return mem
	}
	mem.ir.Style = style
	return mem
}

// Read returns the word at addr in the same cycle, or 0 beyond the depth. addr has
// IndexWidth(depth) bits. RAM blocks need a cycle for a read; use Port for them.
func (mem Mem[T]) Read(addr Bits) T {
	return mem.read(addr, ir.Caller(0))
}

func (mem Mem[T]) read(addr Bits, pos ir.Pos) T {
	word := mem.word(addr, pos)
	if mem.m == nil {
		var out T
		for _, x := range members(&out) {
			x.hold(word)
		}
		return out
	}
	return mem.of.unpack(mem.m, Bits{word}, pos)
}

func (mem Mem[T]) word(addr Bits, pos ir.Pos) *value {
	u := begin(pos, addr.value)
	if !mem.declared(u) {
		return u.nothing(ir.Type{Width: 1})
	}
	u.m = mem.m
	a := u.want(addr.value, IndexWidth(mem.ir.Depth), "address of "+mem.ir.Name)
	if mem.use.on != OldWord {
		u.errorf("memory", "memory %q: Read gives the old word, at once; a memory with another OnWrite is read through a Port", mem.ir.Name)
	}
	out := u.node(ir.MemRead, ir.Type{Width: mem.ir.Width}, a)
	out.sc = u.deeper(out.sc, mem.ir.Scope)
	if u.broken {
		return u.nothing(ir.Type{Width: mem.ir.Width})
	}
	out.e.Mem = mem.ir
	return out
}

// Write writes word at addr at the clock edge. Each Write is a separate write port. If several
// writes select the same word, the last one wins.
func (mem Mem[T]) Write(addr Bits, word T) { mem.write(addr, word, nil, ir.Caller(0)) }

// WriteLanes writes the lanes of word whose bit of mask is 1. A word has one lane per bit of mask,
// all of the same width, lane 0 least significant: for example bytes, or the elements of a vector.
func (mem Mem[T]) WriteLanes(addr Bits, word T, mask Bits) {
	mem.write(addr, word, &mask, ir.Caller(0))
}

func (mem Mem[T]) write(addr Bits, word T, mask *Bits, pos ir.Pos) {
	data := pack(word, pos)
	if !mem.declared(begin(pos, addr.value, data.value)) {
		return
	}
	m := mem.m
	u := m.statement(pos, addr.value)
	a := u.want(addr.value, IndexWidth(mem.ir.Depth), "address of "+mem.ir.Name)
	u.visible(a)
	d := m.statement(pos, data.value)
	x := d.want(data.value, mem.ir.Width, "data of "+mem.ir.Name)
	d.visible(x)
	if mem.ir.Scope != m.scope {
		u.errorf("scope", "memory %q is written outside the scope that declares it", mem.ir.Name)
	}
	st := &ir.MemWrite{Mem: mem.ir, Pos: pos}
	if mask != nil && !mem.masked(st, *mask) || u.broken || d.broken {
		return
	}
	st.Addr, st.Data = a.e, x.e
	m.add(st)
	mem.use.writes = append(mem.use.writes, written{st, m.list})
}

// masked sets the mask of a write and reports whether the mask is valid.
func (mem Mem[T]) masked(st *ir.MemWrite, mask Bits) bool {
	u := mem.m.statement(st.Pos, mask.value)
	v := u.known(mask.value)
	u.visible(v)
	if u.broken {
		return false
	}
	lanes := v.Width()
	if v.typ().IsVec() || lanes < 2 || mem.ir.Width%lanes != 0 {
		u.errorf("memory", "a mask of %s bits: the %d bits of a word of %q are not so many equal lanes, two or more", v.typ(), mem.ir.Width, mem.ir.Name)
		return false
	}
	st.Mask = v.e
	return true
}

// declared reports whether mem was declared by Module.Mem or Shape.Mem. It reports a mistake if
// not.
func (mem Mem[T]) declared(u use) bool {
	if mem.m == nil {
		refuse(u, "a memory that was never declared")
	}
	return mem.m != nil
}
