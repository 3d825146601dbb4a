package irgen

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw"
)

// builder describes one module.
type builder struct {
	m     *hw.Module
	p     module
	r     *rand.Rand
	count int // of names
	at    *layer
}

// layer is what the module body or the body of a loop offers.
type layer struct {
	outer *layer
	bits  []hw.Bits // values that can be read
	vecs  []hw.Vec
	mems  []memory
	loop  loop
	// What drive assigns:
	regs    []hw.Bits
	regVecs []hw.Vec
	fsms    [][]hw.State
}

type memory struct {
	hw.Mem
	depth, width int
}

type loop struct {
	n     int // 0 for the module body
	index hw.Index
}

var (
	widths  = []int{1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 130}
	lengths = []int{1, 2, 3, 4, 5, 8}
	depths  = []int{1, 2, 3, 4, 5, 8, 13, 16, 33}
)

func pick[T any](r *rand.Rand, xs []T) T { return xs[r.IntN(len(xs))] }

func (b *builder) width() int         { return pick(b.r, widths) }
func (b *builder) length() int        { return pick(b.r, lengths) }
func (b *builder) chance(in int) bool { return b.r.IntN(in) == 0 }

// name is a new name.
func (b *builder) name(prefix string) string {
	b.count++
	return fmt.Sprintf("%s%d", prefix, b.count)
}

func (b *builder) open(l *loop) {
	b.at = &layer{outer: b.at}
	if l != nil {
		b.at.loop = *l
	}
}

func (b *builder) close() { b.at = b.at.outer }

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
	kinds := []func(){b.reg, b.reg, b.regVec, b.wire, b.wire, b.wireVec, b.memory, b.fsm, b.variable,
		func() { b.loop(n / 2) }, b.chain, b.instance, b.instance, b.twin}
	for range n {
		pick(b.r, kinds)()
	}
}

func (b *builder) reg() {
	w := b.width()
	var x hw.Bits
	if b.chance(3) {
		x = b.m.Data(b.name("data"), w)
	} else {
		x = b.m.Reg(b.name("reg"), w, b.r.Uint64()>>(64-min(w, 64)))
	}
	b.at.regs = append(b.at.regs, b.keep(x))
}

func (b *builder) regVec() {
	n, w := b.length(), b.width()
	var v hw.Vec
	if b.chance(3) {
		v = b.m.DataVec(b.name("data_vec"), n, w)
	} else {
		v = b.m.RegVec(b.name("reg_vec"), n, w, b.r.Uint64()>>(64-min(w, 64)))
	}
	b.at.regVecs = append(b.at.regVecs, b.keepVec(v))
}

func (b *builder) wire() {
	x := b.m.Wire(b.name("wire"), b.width())
	x.Set(b.bits(x.Width(), 3))
	b.keep(x)
}

func (b *builder) wireVec() {
	v := b.m.WireVec(b.name("wire_vec"), b.length(), b.width())
	v.Set(b.vec(v.Len(), v.Width(), 2))
	b.keepVec(v)
}

// memory declares a memory; half of them are read into a register at once.
func (b *builder) memory() {
	mem := memory{depth: pick(b.r, depths), width: b.width()}
	mem.Mem = b.m.Mem(b.name("mem"), mem.depth, mem.width)
	b.at.mems = append(b.at.mems, mem)
	for range b.r.IntN(3) {
		q := b.keep(b.m.Data(b.name("read"), mem.width))
		q.Set(mem.Read(b.bits(hw.IndexWidth(mem.depth), 1)))
	}
}

func (b *builder) fsm() {
	names := []string{"Idle", "Ask", "Wait", "Tell", "Done", "Fail"}
	f, states := b.m.FSM(b.name("fsm"), names[:1+b.r.IntN(len(names))]...)
	b.keep(f.Reg())
	b.keep(pick(b.r, states).Is())
	b.at.fsms = append(b.at.fsms, states)
}

// variable declares wires that are assigned under conditions.
func (b *builder) variable() {
	x := b.m.Wire(b.name("var"), b.width())
	v := b.m.WireVec(b.name("var_vec"), b.length(), b.width())
	switch b.r.IntN(3) {
	case 0: // a value on every path
		b.m.When(b.bits(1, 2), func() { x.Set(b.bits(x.Width(), 2)) }).
			ElseWhen(b.bits(1, 2), func() { x.Set(b.bits(x.Width(), 1)) }).
			Else(func() { x.Set(b.bits(x.Width(), 2)) })
	case 1: // a complete switch
		of := b.m.Switch(b.bits(1, 2))
		for k := range 2 {
			of.Case(hw.K(k), func() { x.Set(b.bits(x.Width(), 2)) })
		}
	default:
		x.Set(b.bits(x.Width(), 1))
	}
	v.Set(b.vec(v.Len(), v.Width(), 1))
	b.block(2, &targets{bits: []hw.Bits{x}, vecs: []hw.Vec{v}})
	b.keep(x)
	b.keepVec(v)
}

// loop describes a loop whose results leave it in vectors.
func (b *builder) loop(size int) {
	n := 1 + b.r.IntN(4)
	sum := b.m.WireVec(b.name("sum"), n, digestWidth)
	held := b.m.RegVec(b.name("held"), 2*n, b.width(), 1)
	b.m.For(b.name("loop"), n, func(i hw.Index) {
		b.open(&loop{n, i})
		b.keep(i.Bits(3))
		b.pieces(size)
		b.at.regs = append(b.at.regs, held.At(i.Times(2)), held.At(i.Times(-2).Plus(2*n-1)))
		b.drive()
		sum.At(i).Set(b.digest())
		b.close()
	})
	b.keepVec(sum)
	b.keepVec(held)
}

// chain describes a loop whose iterations depend on each other.
func (b *builder) chain() {
	n, w := 1+b.r.IntN(4), b.width()
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

// instance uses a module of the next level.
func (b *builder) instance() {
	if b.p.Level == 0 {
		b.twin()
		return
	}
	io := hw.Inst(b.m, b.name("inst"), b.p.child(b.r.IntN(2)))
	for _, x := range io.In {
		x.Set(b.bits(x.Width(), 2))
	}
	for _, v := range io.InVec {
		v.Set(b.vec(v.Len(), v.Width(), 2))
	}
	for _, x := range io.Out {
		b.keep(x)
	}
	for _, v := range io.OutVec {
		b.keepVec(v)
	}
	b.keep(io.Digest)
}

// twin feeds one path of an instance with the other.
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

// digest folds all that the current scope declares into one number.
func (b *builder) digest() hw.Bits {
	sum := hw.Lit(digestWidth, 0)
	add := func(x hw.Bits) {
		for lo := 0; lo < x.Width(); lo += digestWidth {
			part := x.Slice(min(lo+digestWidth, x.Width())-1, lo)
			sum = sum.RotL(hw.Lit(5, 3)).Xor(part.Ext(digestWidth)).As(b.name("digest"))
		}
	}
	for _, x := range b.at.bits {
		add(x)
	}
	for _, v := range b.at.vecs {
		for k := range v.Len() {
			add(v.N(k))
		}
	}
	return sum
}
