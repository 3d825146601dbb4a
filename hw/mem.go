package hw

import "github.com/hotline-rtl/hotline/hw/ir"

// Mem is a memory of words of type T.
type Mem[T any] struct{ g *memory } // nil if it was never declared

// memory is a memory under construction, for words of any type. Generic methods only convert words
// and leave the work to it, because Go compiles every generic method once for each type of words.
type memory struct {
	m      *Module
	ir     *ir.Mem
	of     *shape
	on     Collision
	ports  []*port
	writes []written
}

// written is a write and the block that contains it.
type written struct {
	*ir.MemWrite
	list *[]ir.Stmt
}

// Mem declares a memory of depth words of width bits. No reset affects it. A word is unknown until
// it is written, unless Init sets the contents. Engines start with zeros or with random words
// (sim.PowerUp); Icarus Verilog can start with X. A memory that is never written reads as zero.
func (m *Module) Mem(name string, depth, width int) Mem[Bits] {
	return Mem[Bits]{m.memory(name, depth, width, ir.Caller(0))}
}

// Mem declares a memory of m with depth words of this shape, as Module.Mem does for numbers. In
// the Verilog a word is a number, the first field most significant.
func (s Shape[T]) Mem(m *Module, name string, depth int) Mem[T] {
	return Mem[T]{m.memoryOf(s.s, name, depth, ir.Caller(0))}
}

func (m *Module) memoryOf(s *shape, name string, depth int, pos ir.Pos) *memory {
	if !m.sound(s, pos) {
		g := m.memory(name, depth, 1, pos)
		g.of = s
		return g
	}
	g := m.memory(name, depth, s.root.bits(), pos)
	g.of, g.ir.Doc = s, s.layout()
	return g
}

func (m *Module) memory(name string, depth, width int, pos ir.Pos) *memory {
	m.statement(pos)
	name = m.under + name
	m.claim("memory", name, pos)
	if depth < 1 || depth > ir.MaxDepth || width < 1 || width > ir.MaxWidth {
		m.errorf(pos, "memory", "memory %q: %d words of %d bits; expected 1 to %d words of at most %d bits", name, depth, width, ir.MaxDepth, ir.MaxWidth)
		depth, width = min(max(depth, 1), ir.MaxDepth), min(max(width, 1), ir.MaxWidth)
	}
	mem := &ir.Mem{Name: name, Depth: depth, Width: width, Scope: m.scope, Domain: m.here("memory", name, pos), Pos: pos}
	m.scope.Mems = append(m.scope.Mems, mem)
	g := &memory{m: m, ir: mem, of: numbers(width)}
	m.memories = append(m.memories, g)
	return g
}

// Style sets the ram_style attribute: block, ultra, distributed or registers.
func (mem Mem[T]) Style(style string) Mem[T] {
	mem.g.style(style, ir.Caller(0))
	return mem
}

func (g *memory) style(style string, pos ir.Pos) {
	switch {
	case !g.declared(use{pos: pos}):
	case style == "ultra" && g.ir.Init != nil:
		g.m.errorf(pos, "memory", "memory %q: a memory of style ultra cannot have contents; use block", g.ir.Name)
	case !ir.RAMStyle(style):
		g.m.errorf(pos, "memory", "memory %q has no style %q; use block, ultra, distributed or registers", g.ir.Name, style)
	default:
		g.ir.Style = style
	}
}

// Read returns the word at addr in the same cycle, or 0 beyond the depth. addr has
// IndexWidth(depth) bits. RAM blocks need a cycle for a read; use Port for them.
func (mem Mem[T]) Read(addr Bits) (word T) {
	mem.g.read(addr, &word, ir.Caller(0))
	return word
}

// read sets the record that out points to.
func (g *memory) read(addr Bits, out any, pos ir.Pos) {
	word := g.word(addr, pos)
	if g == nil {
		for _, x := range members(out) {
			x.hold(word)
		}
		return
	}
	g.of.unpack(g.m, Bits{word}, out, pos)
}

func (g *memory) word(addr Bits, pos ir.Pos) *value {
	u := begin(pos, addr.value)
	if !g.declared(u) {
		return u.nothing(ir.Type{Width: 1})
	}
	u.m = g.m
	a := u.want(addr.value, IndexWidth(g.ir.Depth), "address of "+g.ir.Name)
	if g.on != OldWord {
		u.errorf("memory", "memory %q: Read returns the old word in the same cycle; read a memory with another OnWrite through a Port", g.ir.Name)
	}
	out := u.node(ir.MemRead, ir.Type{Width: g.ir.Width}, a)
	out.sc = u.deeper(out.sc, g.ir.Scope)
	if u.broken {
		return u.nothing(ir.Type{Width: g.ir.Width})
	}
	out.e.Mem = g.ir
	return out
}

// Write writes word at addr at the clock edge. Each Write is a separate write port. If several
// writes select the same word, the last one wins.
func (mem Mem[T]) Write(addr Bits, word T) { mem.g.write(addr, &word, nil, ir.Caller(0)) }

// WriteLanes writes the lanes of word whose bit of mask is 1. A word has one lane per bit of mask,
// all of the same width, lane 0 least significant: for example bytes, or the elements of a vector.
func (mem Mem[T]) WriteLanes(addr Bits, word T, mask Bits) {
	mem.g.write(addr, &word, &mask, ir.Caller(0))
}

// write writes the record that word points to.
func (g *memory) write(addr Bits, word any, mask *Bits, pos ir.Pos) {
	data := pack(members(word), pos)
	if !g.declared(begin(pos, addr.value, data.value)) {
		return
	}
	m := g.m
	u := m.statement(pos, addr.value)
	a := u.want(addr.value, IndexWidth(g.ir.Depth), "address of "+g.ir.Name)
	u.visible(a)
	d := m.statement(pos, data.value)
	x := d.want(data.value, g.ir.Width, "data of "+g.ir.Name)
	d.visible(x)
	if g.ir.Scope != m.scope {
		u.errorf("scope", "memory %q is written outside the scope that declares it", g.ir.Name)
	}
	st := &ir.MemWrite{Mem: g.ir, Pos: pos}
	if mask != nil && !g.masked(st, *mask) || u.broken || d.broken {
		return
	}
	st.Addr, st.Data = a.e, x.e
	m.add(st)
	g.writes = append(g.writes, written{st, m.list})
}

// masked sets the mask of a write and reports whether the mask is valid.
func (g *memory) masked(st *ir.MemWrite, mask Bits) bool {
	u := g.m.statement(st.Pos, mask.value)
	v := u.known(mask.value)
	u.visible(v)
	if u.broken {
		return false
	}
	lanes := v.Width()
	if v.typ().IsVec() || lanes < 2 || g.ir.Width%lanes != 0 {
		u.errorf("memory", "a mask of %s bits does not divide the %d bits of a word of %q into equal lanes; expected at least two lanes", v.typ(), g.ir.Width, g.ir.Name)
		return false
	}
	st.Mask = v.e
	return true
}

// declared reports whether g was declared by Module.Mem or Shape.Mem. It reports a mistake if
// not.
func (g *memory) declared(u use) bool {
	if g == nil {
		refuse(u, "a memory that was never declared")
	}
	return g != nil
}
