package random

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/hotline-rtl/hotline/hw"
)

// builder describes one module.
type builder struct {
	m     *hw.Module
	p     module
	r     *rand.Rand
	taste int  // selects the favourite piece and operator
	long  bool // long names
	count int  // number of names so far
	spent int  // part of the budget: word operations, over all copies
	at    *layer
	// unreset forbids resets.
	unreset bool
}

// layer contains the values and state of the module body or of a loop body.
type layer struct {
	outer *layer
	bits  []hw.Bits // readable values
	vecs  []hw.Vec
	mems  []memory
	loop  loop
	// State that drive assigns:
	regs    []hw.Bits
	regVecs []hw.Vec
	fsms    [][]hw.State
}

type memory struct {
	hw.Mem[hw.Bits]
	depth, width int
	lanes        int  // of masked writes
	ports        bool // read through ports only
	writes       *int // left
}

type loop struct {
	n     int // 0 for the module body
	index hw.Index
}

var (
	widths  = []int{1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 16, 31, 32, 33, 63, 64}
	wide    = []int{65, 65, 127, 128, 128, 128, 129, 130, 191, 192, 193, 257}
	lengths = []int{1, 2, 3, 4, 5, 8}
	long    = []int{33, 63, 64, 65, 65, 70, 130} // around the number of bits in a machine word
	depths  = []int{1, 2, 3, 4, 5, 8, 13, 16, 33, 64, 65, 300}
	styles  = []string{"", "block", "ultra", "distributed", "registers"}
)

func pick[T any](r *rand.Rand, xs []T) T { return xs[r.IntN(len(xs))] }

// favour picks an element, often the module's favourite. Combinations that are rare in most
// modules are therefore frequent in some.
func favour[T any](b *builder, xs []T) T {
	if b.chance(4) {
		return xs[b.taste%len(xs)]
	}
	return pick(b.r, xs)
}

func (b *builder) length() int        { return pick(b.r, lengths) }
func (b *builder) chance(in int) bool { return b.r.IntN(in) == 0 }

// crowded reports whether the current scope is a loop of many iterations, whose body must be
// small.
func (b *builder) crowded() bool { return b.at.loop.n > 8 }

func (b *builder) width() int {
	if b.crowded() {
		return 1 + b.r.IntN(9)
	}
	if b.chance(8) {
		return b.wideWidth()
	}
	if b.chance(4) {
		return 1 + b.r.IntN(64)
	}
	return pick(b.r, widths)
}

// wideWidth returns a width of several words: around one of the first three word boundaries, up to
// about eight words, or up to widest.
func (b *builder) wideWidth() int {
	switch b.r.IntN(8) {
	case 0, 1:
		return 65 + b.r.IntN(455)
	case 2:
		return 258 + b.r.IntN(widest-257)
	}
	return pick(b.r, wide)
}

// widest is the maximum width of a declared value.
const widest = 1025

// depth returns the number of words of a memory with words of width bits. Deep memories have
// narrow words, because every engine spends time on their contents.
func (b *builder) depth(width int) int {
	if width <= 64 && b.chance(24) {
		if b.chance(8) {
			return 5001 + b.r.IntN(65000)
		}
		return 301 + b.r.IntN(4700)
	}
	return pick(b.r, depths)
}

// manyLanes returns a number of lanes around the size of a machine word, or up to 300.
func (b *builder) manyLanes() int {
	if b.chance(4) {
		return 9 + b.r.IntN(292)
	}
	return pick(b.r, long)
}

// shape returns the length and width of a vector. Long vectors are narrow.
func (b *builder) shape() (n, w int) {
	if b.chance(16) {
		return b.manyLanes(), 1 + b.r.IntN(4)
	}
	return b.length(), b.width()
}

// name returns a new name. Long names limit how many operands a printer can put on one line.
func (b *builder) name(prefix string) string {
	b.count++
	if b.long {
		prefix += "_of_the_other_group"
	}
	return fmt.Sprintf("%s%d", prefix, b.count)
}

func (b *builder) open(l *loop) {
	b.at = &layer{outer: b.at}
	if l != nil {
		b.at.loop = *l
		b.keep(b.number())
	}
}

func (b *builder) close() { b.at = b.at.outer }

// copies returns the number of copies of the current scope in the module.
func (b *builder) copies() int {
	n := 1
	for l := b.at; l != nil; l = l.outer {
		n *= max(1, l.loop.n)
	}
	return n
}

// spend charges a number of operations for each copy and reports whether the budget lasts. Without
// a budget, a few designs would account for most of the run time.
func (b *builder) spend(operations int) bool {
	b.spent += b.copies() * operations
	return b.spent < b.p.budget()
}

// keep makes x readable.
func (b *builder) keep(x hw.Bits) hw.Bits {
	b.at.bits = append(b.at.bits, x)
	return x
}

func (b *builder) keepVec(v hw.Vec) hw.Vec {
	b.at.vecs = append(b.at.vecs, v)
	return v
}

// pieces describes n pieces in the current scope.
func (b *builder) pieces(n int) {
	kinds := []func(){b.reg, b.reg, b.regVec, b.wire, b.wire, b.wireVec, b.memory, b.memory, b.fsm, b.variable, b.grid,
		func() { b.loop((n + 1) / 2) }, b.chain, b.instance, b.instance, b.twin, b.structure}
	if b.unreset {
		kinds = []func(){b.reg, b.reg, b.regVec, b.wire, b.wireVec, b.memory, b.variable, b.grid, b.chain, b.twin, b.structure}
	}
	if b.p.Extern {
		kinds = append(kinds, b.foreign, b.foreign, b.foreign)
	}
	for range n {
		if b.spend(5) {
			favour(b, kinds)()
		}
	}
}

func (b *builder) reg() {
	w := b.width()
	var x hw.Bits
	if b.unreset || b.chance(3) {
		x = b.m.Data(b.name("data"), w)
	} else {
		x = b.m.Reg(b.name("reg"), w, b.r.Uint64()>>(64-min(w, 64)))
	}
	b.at.regs = append(b.at.regs, b.keep(x))
}

func (b *builder) regVec() {
	n, w := b.shape()
	var v hw.Vec
	if b.unreset || b.chance(3) {
		v = b.m.DataVec(b.name("data_vec"), n, w)
	} else {
		v = b.m.RegVec(b.name("reg_vec"), n, w, b.r.Uint64()>>(64-min(w, 64)))
	}
	b.at.regVecs = append(b.at.regVecs, b.keepVec(v))
}

func (b *builder) wire() {
	x := b.m.Wire(b.name("wire"), b.width())
	b.setAll(x, func(x hw.Bits) { x.Set(b.bits(x.Width(), 3)) })
	b.keep(x)
}

// setAll applies set to x, or to two parts of x.
func (b *builder) setAll(x hw.Bits, set func(x hw.Bits)) {
	if w := x.Width(); w > 1 && b.chance(4) {
		k := 1 + b.r.IntN(w-1)
		set(x.Slice(w-1, k))
		set(x.Slice(k-1, 0))
		return
	}
	set(x)
}

func (b *builder) wireVec() {
	n, w := b.shape()
	v := b.m.WireVec(b.name("wire_vec"), n, w)
	v.Set(b.vec(v.Len(), v.Width(), 2))
	b.keepVec(v)
}

// memory declares a memory with up to two synchronous read ports, some of them with an enable.
// lookup adds combinational reads.
func (b *builder) memory() {
	mem := memory{width: b.width(), writes: new(int)}
	if mem.depth = b.depth(mem.width); b.copies() > 1 {
		mem.depth = min(mem.depth, 300)
	}
	mem.lanes, *mem.writes = b.parts(mem.width), 4
	mem.Mem = b.m.Mem(b.name("mem"), mem.depth, mem.width)
	style := pick(b.r, styles)
	if b.chance(3) && style != "ultra" {
		mem.Mem = mem.Init(b.contents(1+b.r.IntN(min(mem.depth, 300)), mem.width))
	}
	if style == "block" || style == "ultra" {
		*mem.writes = 2
	}
	if b.chance(2) {
		mem.Mem, mem.ports = mem.OnWrite(pick(b.r, []hw.Collision{hw.NewWord, hw.NewWord, hw.AnyWord})), true
	}
	mem.Mem = mem.Style(style)
	if b.chance(6) {
		b.rom()
	}
	b.at.mems = append(b.at.mems, mem)
	for range b.r.IntN(3) {
		rd := mem.Port(b.name("read"))
		b.keep(rd.Data)
		read := func() { rd.Read(b.bits(hw.IndexWidth(mem.depth), 1)) }
		if b.chance(2) {
			b.m.When(b.bits(1, 1), read)
		} else {
			read()
		}
	}
}

// rom declares a read-only memory with a combinational or a synchronous read port.
func (b *builder) rom() {
	depth, width := pick(b.r, depths), b.width()
	rom := b.m.ROM(b.name("rom"), b.contents(depth, width))
	if b.chance(2) {
		b.keep(rom.Read(b.bits(hw.IndexWidth(depth), 1)))
		return
	}
	rd := rom.Port(b.name("read"))
	rd.Read(b.bits(hw.IndexWidth(depth), 1))
	b.keep(rd.Data)
}

// contents returns the first n words of a memory, some of them zero.
func (b *builder) contents(n, width int) []hw.Bits {
	words := make([]hw.Bits, n)
	for i := range words {
		parts := []hw.Bits{}
		for left := width; left > 0; left -= 64 {
			w := min(left, 64)
			parts = append(parts, hw.Lit(w, b.r.Uint64()*uint64(b.r.IntN(2))>>(64-w)))
		}
		words[i] = hw.Cat(parts...)
	}
	return words
}

func (b *builder) fsm() {
	var states []hw.State
	switch name := b.name("fsm"); b.r.IntN(3) {
	case 0:
		s := hw.FSM[struct{ Idle hw.State }](b.m, name)
		states = []hw.State{s.Idle}
	case 1:
		s := hw.FSM[struct{ Idle, Ask, Wait hw.State }](b.m, name)
		states = []hw.State{s.Idle, s.Ask, s.Wait}
	case 2:
		s := hw.FSM[struct{ Idle, Ask, Wait, Tell, Done, Fail hw.State }](b.m, name)
		states = []hw.State{s.Idle, s.Ask, s.Wait, s.Tell, s.Done, s.Fail}
	}
	b.keep(pick(b.r, states).Is())
	b.at.fsms = append(b.at.fsms, states)
}

// variable declares wires that are assigned under conditions.
func (b *builder) variable() {
	x := b.m.Wire(b.name("var"), b.width())
	n, w := b.shape()
	v := b.m.WireVec(b.name("var_vec"), n, w)
	b.assign(&targets{bits: []hw.Bits{x}, vecs: []hw.Vec{v}})
}

// assign gives wires a value on every path and makes them readable.
func (b *builder) assign(t *targets) {
	for _, x := range t.bits {
		b.onEveryPath(x)
	}
	for _, v := range t.vecs {
		v.Set(b.vec(v.Len(), v.Width(), 1))
	}
	if b.chance(2) {
		b.block(2, t)
	}
	for _, x := range t.bits {
		b.keep(x)
	}
	for _, v := range t.vecs {
		b.keepVec(v)
	}
}

func (b *builder) onEveryPath(x hw.Bits) {
	set := func(depth int) func() {
		return func() { b.setAll(x, func(x hw.Bits) { x.Set(b.bits(x.Width(), depth)) }) }
	}
	switch b.r.IntN(4) {
	case 0:
		b.m.When(b.bits(1, 2), set(2)).ElseWhen(b.bits(1, 2), set(1)).Else(set(2))
	case 1: // a complete switch
		of := b.m.Switch(b.bits(1, 2))
		for k := range 2 {
			of.Case(hw.K(k), set(2))
		}
	default:
		set(2)()
	}
}

// iterations returns the number of iterations of a loop. Nested loops have few.
func (b *builder) iterations() int {
	if b.at.loop.n > 1 {
		return 1 + b.r.IntN(2)
	}
	return 1 + b.r.IntN(3)
}

// loop describes a loop whose results leave it in vectors.
func (b *builder) loop(size int) {
	n := b.iterations()
	sum := b.m.WireVec(b.name("sum"), n, digestWidth)
	held := b.m.RegVec(b.name("held"), 2*n, b.width(), 1)
	b.m.For(b.name("loop"), n, func(i hw.Index) {
		b.open(&loop{n, i})
		b.pieces(size)
		b.at.regs = append(b.at.regs, held.At(i.Times(2)), held.At(i.Times(-2).Plus(2*n-1)))
		b.drive()
		sum.At(i).Set(b.digest())
		b.close()
	})
	b.keepVec(sum)
	b.keepVec(held)
}

// number returns a function of the loop variables as a number. Its width is the minimum or around
// the size of a machine word.
func (b *builder) number() hw.Bits {
	greatest := b.r.IntN(3)
	at := hw.At(greatest)
	for l := b.at; l != nil; l = l.outer {
		n := l.loop.n
		if n == 0 {
			continue
		}
		by := 1 + b.r.IntN(3)
		greatest += by * (n - 1)
		if b.chance(4) {
			at = at.Add(l.loop.index.Times(-by).Plus(by * (n - 1)))
		} else {
			at = at.Add(l.loop.index.Times(by))
		}
	}
	return at.Bits(pick(b.r, []int{max(1, bits.Len(uint(greatest))), 12, 32, 33, 64, 65, 70, 130}))
}

// lanes describes a loop of many iterations with a small body.
func (b *builder) lanes() {
	n, w := b.manyLanes(), 1+b.r.IntN(8)
	flags := b.keepVec(b.m.RegVec(b.name("flags"), n, 1, b.r.Uint64()&1))
	items := b.keepVec(b.m.DataVec(b.name("items"), n, w))
	out, bits := b.m.WireVec(b.name("lane_out"), n, w), b.m.WireVec(b.name("lane_bit"), n, 1)
	b.m.For(b.name("lanes"), n, func(i hw.Index) {
		b.open(&loop{n, i})
		b.keep(flags.At(i))
		b.keep(items.At(i))
		pick(b.r, []func(){b.reg, b.reg, b.wire, b.wire, b.memory, b.twin})()
		b.at.regs = append(b.at.regs, flags.At(i), items.At(i))
		b.drive()
		out.At(i).Set(b.bits(w, 2))
		bits.At(i).Set(b.bits(1, 2))
		b.close()
	})
	b.keepVec(out)
	b.keepVec(bits)
}

// chain describes a loop whose iterations depend on each other.
func (b *builder) chain() {
	n, w := b.iterations(), b.width()
	carry := b.m.WireVec(b.name("carry"), n+1, w)
	carry.N(0).Set(b.bits(w, 1))
	b.m.For(b.name("loop"), n, func(i hw.Index) {
		b.open(&loop{n, i})
		b.keep(carry.At(i))
		carry.At(i.Plus(1)).Set(b.bits(w, 3))
		b.close()
	})
	b.keepVec(carry)
}

// instance instantiates a module of the next level.
func (b *builder) instance() {
	if b.p.Level == 0 {
		if b.unreset || b.chance(2) {
			b.twin()
		} else {
			b.word()
		}
		return
	}
	child := b.p.child(b.r.IntN(2))
	if !b.spend(child.budget() / 2) {
		return
	}
	io := b.instantiate(child)
	pins := &targets{bits: io.In, vecs: io.InVec}
	for _, x := range pins.bits {
		if b.at.loop.n > 0 && b.chance(8) {
			x.Set(b.fit(b.number(), x.Width()))
			continue
		}
		x.Set(b.bits(x.Width(), b.r.IntN(3)))
	}
	for _, v := range pins.vecs {
		v.Set(b.vec(v.Len(), v.Width(), 2))
	}
	if b.chance(4) {
		b.block(1, pins)
	}
	for _, x := range io.Out {
		b.keep(x)
	}
	for _, v := range io.OutVec {
		b.keepVec(v)
	}
	b.keep(io.Digest)
}

// instantiate makes an instance. Some instances are reset by a condition, mostly a rare condition,
// sometimes an output of the instance itself.
func (b *builder) instantiate(child module) ports {
	name := b.name("inst")
	if b.p.Async {
		return hw.Inst(b.m, name, child)
	}
	switch b.r.IntN(16) {
	case 0:
		return hw.InstReset(b.m, name, child, hw.K(b.r.IntN(2)))
	case 1, 2:
		return hw.InstReset(b.m, name, child, b.bits(1, 2))
	case 3, 4:
		again := b.m.Wire(b.name("again"), 1)
		io := hw.InstReset(b.m, name, child, again)
		again.Set(io.Digest.Trunc(3).Eq(hw.K(b.r.IntN(8))))
		return io
	case 5, 6, 7, 8:
		return hw.InstReset(b.m, name, child, b.bits(4, 2).Eq(hw.K(b.r.IntN(16))))
	}
	return hw.Inst(b.m, name, child)
}

// twin connects the output of one path of an instance to the input of the other.
func (b *builder) twin() {
	io := hw.Inst(b.m, b.name("twin"), twin{b.width()})
	if b.chance(2) {
		io.B.Set(b.bits(io.B.Width(), 1))
		io.A.Set(io.MinusB)
	} else {
		io.A.Set(b.bits(io.A.Width(), 1))
		io.B.Set(io.NotA)
	}
	b.keep(io.NotA)
	b.keep(io.MinusB)
}

// word instantiates one of two modules with a parameter.
func (b *builder) word() {
	if !b.spend(40) {
		return
	}
	io := hw.Inst(b.m, b.name("word"), word{2*b.p.Seed + uint64(b.r.IntN(2)), b.width()})
	for _, x := range []hw.Bits{io.X, io.Y, io.Sel} {
		x.Set(b.bits(x.Width(), 1))
	}
	b.keep(io.Z)
}

// digest combines all declarations of the current scope into one number. It uses a tree, because a
// chain costs event-driven simulators time quadratic in its length.
func (b *builder) digest() hw.Bits {
	var parts []hw.Bits
	add := func(x hw.Bits) {
		for lo := 0; lo < x.Width(); lo += digestWidth {
			parts = append(parts, x.Slice(min(lo+digestWidth, x.Width())-1, lo).Ext(digestWidth))
		}
	}
	for _, x := range b.at.bits {
		add(x)
	}
	for _, v := range b.at.vecs {
		if v.Len() > 8 {
			add(v.Pack())
			continue
		}
		for k := range v.Len() {
			add(v.N(k))
		}
	}
	for distance := 1; len(parts) > 1; distance = distance * 4 % 63 {
		var sums []hw.Bits
		for group := range slices.Chunk(parts, 4) {
			sum := group[0]
			for i, x := range group[1:] {
				sum = sum.Xor(x.RotL((i + 1) * distance))
			}
			sums = append(sums, sum)
		}
		parts = sums
	}
	return parts[0]
}
