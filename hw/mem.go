package hw

import "github.com/hotline-rtl/hotline/hw/ir"

// Mem is a memory of words of type T.
type Mem[T any] struct {
	m  *Module
	ir *ir.Mem
	of Shape[T]
}

// Mem declares a memory of depth words of width bits. No reset reaches it: a word
// is unknown until it is written. Engines begin with zeros, or with random words
// (sim.PowerUp); Icarus can with X. A memory that nothing writes reads as zero.
func (m *Module) Mem(name string, depth, width int) Mem[Bits] {
	pos := ir.Caller(0)
	return Mem[Bits]{m, m.memory(name, depth, width, pos), Shape[Bits]{numbers(width)}}
}

// Mem declares a memory of m of depth words of this shape, as Module.Mem does for
// numbers. In the Verilog a word is a number, the first field most significant.
func (s Shape[T]) Mem(m *Module, name string, depth int) Mem[T] {
	pos := ir.Caller(0)
	width := 1
	if m.sound(s.s, pos) {
		width = s.s.root.bits()
	}
	mem := m.memory(name, depth, width, pos)
	mem.Doc = s.layout()
	return Mem[T]{m, mem, s}
}

func (m *Module) memory(name string, depth, width int, pos ir.Pos) *ir.Mem {
	m.statement(pos)
	name = m.under + name
	m.claim("memory", name, pos)
	if depth < 1 || depth > ir.MaxDepth || width < 1 || width > ir.MaxWidth {
		m.errorf(pos, "memory", "memory %q: %d words of %d bits; depths are 1 to %d, widths to %d", name, depth, width, ir.MaxDepth, ir.MaxWidth)
		depth, width = min(max(depth, 1), ir.MaxDepth), min(max(width, 1), ir.MaxWidth)
	}
	mem := &ir.Mem{Name: name, Depth: depth, Width: width, Scope: m.scope, Domain: m.here("memory", name, pos), Pos: pos}
	m.scope.Mems = append(m.scope.Mems, mem)
	return mem
}

// Style sets the ram_style attribute: block, ultra, distributed or registers.
func (mem Mem[T]) Style(style string) Mem[T] {
	pos := ir.Caller(0)
	if !mem.declared(use{pos: pos}) {
		return mem
	}
	if !ir.RAMStyle(style) {
		mem.m.errorf(pos, "memory", "memory %q has no style %q; use block, ultra, distributed or registers", mem.ir.Name, style)
		return mem
	}
	mem.ir.Style = style
	return mem
}

// Read is the word at addr, which is IndexWidth(depth) bits wide. Assigned to a
// register it is a synchronous read port.
func (mem Mem[T]) Read(addr Bits) T {
	pos := ir.Caller(0)
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
	out := u.node(ir.MemRead, ir.Type{Width: mem.ir.Width}, a)
	out.sc = u.deeper(out.sc, mem.ir.Scope)
	if u.broken {
		return u.nothing(ir.Type{Width: mem.ir.Width})
	}
	out.e.Mem = mem.ir
	return out
}

// Write writes data at addr at the clock edge.
func (mem Mem[T]) Write(addr Bits, word T) {
	pos := ir.Caller(0)
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
	if !u.broken && !d.broken {
		m.add(&ir.MemWrite{Mem: mem.ir, Addr: a.e, Data: x.e, Pos: pos})
	}
}

// declared tells whether mem was declared by Module.Mem.
func (mem Mem[T]) declared(u use) bool {
	if mem.m == nil {
		refuse(u, "a memory that was never declared")
	}
	return mem.m != nil
}
