package simtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw"
)

// Random is a design drawn from a seed: Size operations, registers, memories,
// a loop and, Nest levels deep, instances.
type Random struct{ Seed, Size, Nest int }

// RandomPorts are the ports of a Random.
type RandomPorts struct{ In, Out []hw.Bits }

var widths = []int{1, 1, 1, 2, 3, 7, 8, 16, 31, 32, 33, 63, 64, 65, 70, 127, 128, 130}

// drawing is a Random under construction.
type drawing struct {
	*rand.Rand
	p    Random
	m    *hw.Module
	pool []hw.Bits // values that can be used
	regs []hw.Bits
	vecs []hw.Vec // register vectors
	mems []memory
}

type memory struct {
	hw.Mem[hw.Bits]
	addr, width int
}

// Build draws it.
func (p Random) Build(m *hw.Module) RandomPorts {
	d := &drawing{Rand: rand.New(rand.NewPCG(uint64(p.Seed), 7)), p: p, m: m}
	var io RandomPorts
	for i := range 4 {
		io.In = append(io.In, m.In(fmt.Sprintf("in%d", i), d.width()))
	}
	d.pool = append(d.pool, io.In...)
	d.declare()
	d.operations(p.Size / 2)
	if p.Nest > 0 {
		d.instance()
		d.loop()
	}
	d.operations(p.Size / 2)
	d.effects()
	d.digest()
	for i := range 4 {
		x := d.pool[len(d.pool)-1-i]
		io.Out = append(io.Out, m.Out(fmt.Sprintf("out%d", i), x.Width()))
		io.Out[i].Set(x)
	}
	return io
}

// digest adds a value that depends on all others.
func (d *drawing) digest() {
	x := d.pool[0].Resize(64)
	for _, y := range d.pool {
		x = x.RotL(1).Xor(y.Trunc(min(64, y.Width())).Resize(64))
		if y.Width() > 64 {
			x = x.Xor(y.Slice(y.Width()-1, 64).Resize(64))
		}
	}
	d.add(x)
}

func (d *drawing) width() int { return widths[d.IntN(len(widths))] }

func (d *drawing) any() hw.Bits { return d.pool[d.IntN(len(d.pool))] }

func (d *drawing) sized(w int) hw.Bits { return d.any().Resize(w) }

func (d *drawing) bit() hw.Bits {
	x := d.any()
	return x.Bit(d.IntN(x.Width()))
}

func (d *drawing) add(x hw.Bits) { d.pool = append(d.pool, x) }

func (d *drawing) vec() hw.Vec { return d.vecs[d.IntN(len(d.vecs))] }

// declare makes the state.
func (d *drawing) declare() {
	for i := range 6 {
		w := d.width()
		if d.IntN(2) == 0 {
			d.regs = append(d.regs, d.m.Data(fmt.Sprintf("data%d", i), w))
		} else {
			d.regs = append(d.regs, d.m.Reg(fmt.Sprintf("reg%d", i), w, d.Uint64()>>max(0, 64-w)))
		}
	}
	d.pool = append(d.pool, d.regs...)
	for i := range 3 {
		v := d.m.RegVec(fmt.Sprintf("vec%d", i), 2+d.IntN(6), d.width(), 0)
		d.vecs = append(d.vecs, v)
		d.add(v.Pack())
	}
	for i := range 2 {
		depth, w := 3+d.IntN(30), d.width()
		mem := d.m.Mem(fmt.Sprintf("mem%d", i), depth, w)
		d.mems = append(d.mems, memory{mem, hw.IndexWidth(depth), w})
		d.add(mem.Read(d.sized(hw.IndexWidth(depth))))
	}
}

func (d *drawing) operations(n int) {
	for i := range n {
		x := d.operation()
		if d.IntN(3) == 0 {
			x = x.As(fmt.Sprintf("n%d_%d", len(d.pool), i))
		}
		d.add(x)
	}
}

// operation is a random operation on values of the pool.
func (d *drawing) operation() hw.Bits {
	a := d.any()
	w := a.Width()
	b := d.sized(w)
	binary := []func(hw.Bits) hw.Bits{a.Add, a.Sub, a.Mul, a.And, a.Or, a.Xor, a.Eq, a.Ne, a.Lt, a.Le, a.LtS, a.Gt, a.Ge}
	unary := []func() hw.Bits{a.Not, a.Neg, a.All, a.Any, a.Parity, a.IsZero, a.Lowest, a.Encode, a.Count, a.Inc, a.Dec}
	shift := []func(hw.Bits) hw.Bits{a.Shl, a.Shr, a.ShrS}
	switch d.IntN(9) {
	case 0, 1, 2:
		return binary[d.IntN(len(binary))](b)
	case 3:
		return unary[d.IntN(len(unary))]()
	case 4:
		return shift[d.IntN(len(shift))](d.sized(1 + d.IntN(9)))
	case 5:
		return hw.Mux(d.bit(), a, b)
	case 6:
		lo := d.IntN(w)
		return a.Slice(lo+d.IntN(w-lo), lo)
	case 7:
		return d.resized(a)
	}
	return d.vectorOperation()
}

func (d *drawing) resized(a hw.Bits) hw.Bits {
	w := a.Width()
	switch b := d.any(); {
	case w+b.Width() <= 140 && d.IntN(2) == 0:
		return hw.Cat(a, d.bit(), b)
	case w < 100:
		return a.SExt(w + 1 + d.IntN(40))
	}
	return a.Trunc(min(w, 20)).Decode(1 + d.IntN(100))
}

func (d *drawing) vectorOperation() hw.Bits {
	v := d.vec()
	index := d.sized(hw.IndexWidth(v.Len()))
	switch d.IntN(7) {
	case 0:
		return v.Index(index)
	case 1:
		return v.EqLanes(d.sized(v.Width()))
	case 2:
		return v.Select(d.sized(v.Len()))
	case 3:
		return v.With(index, d.sized(v.Width())).N(d.IntN(v.Len()))
	case 4:
		n := 1 + d.IntN(5)
		dest := d.sized(v.Len() * hw.IndexWidth(n)).Unpack(hw.IndexWidth(n))
		return hw.Route(d.sized(v.Len()), dest, n).N(d.IntN(n))
	case 5:
		mem := d.mems[d.IntN(len(d.mems))]
		return mem.Read(d.sized(mem.addr))
	}
	return v.ReduceOr()
}

// instance uses a smaller Random.
func (d *drawing) instance() {
	child := hw.Inst(d.m, "child", Random{d.p.Seed*3 + 1, d.p.Size / 2, d.p.Nest - 1})
	for _, in := range child.In {
		in.Set(d.sized(in.Width()))
	}
	d.pool = append(d.pool, child.Out...)
}

// loop is a loop of instances and of wires that lead out of it in a vector.
func (d *drawing) loop() {
	n, w := 2+d.IntN(3), d.width()
	v, x := d.m.WireVec("lanes", n, w), d.sized(w)
	in := d.sized(n * w).Unpack(w).As("feed")
	d.m.For("lane", n, func(i hw.Index) {
		child := hw.Inst(d.m, "unit", Random{d.p.Seed*3 + 2, d.p.Size / 3, 0})
		for _, c := range child.In {
			c.Set(in.At(i).Resize(c.Width()))
		}
		q := d.m.Reg("lane_q", w, 1)
		d.m.When(child.Out[0].Bit(0), func() { q.Set(in.At(i).Add(i.Bits(8).Resize(w))) })
		v.At(i).Set(q.Xor(x).Add(child.Out[1].Resize(w)))
	})
	d.add(v.Pack())
	d.add(v.ReduceOr())
}

// effects gives registers and memories something to do.
func (d *drawing) effects() {
	for _, r := range d.regs {
		switch d.IntN(4) {
		case 0:
			r.Set(d.sized(r.Width()))
		case 1:
			r.Set(d.regs[d.IntN(len(d.regs))].Resize(r.Width()))
		default:
			d.m.When(d.bit(), func() { r.Set(d.sized(r.Width())) }).
				ElseWhen(d.bit(), func() { d.m.When(d.bit(), func() { r.Set(d.sized(r.Width())) }) }).
				Else(func() { d.chosen(r) })
		}
	}
	for _, v := range d.vecs {
		v.Index(d.sized(hw.IndexWidth(v.Len()))).Set(d.sized(v.Width()))
		d.m.When(d.bit(), func() { v.N(d.IntN(v.Len())).Set(d.sized(v.Width())) })
	}
	for _, mem := range d.mems {
		d.m.When(d.bit(), func() { mem.Write(d.sized(mem.addr), d.sized(mem.width)) })
		d.m.When(d.bit(), func() { mem.Write(d.sized(mem.addr), d.sized(mem.width)) })
	}
}

// chosen sets r in some cases of a switch.
func (d *drawing) chosen(r hw.Bits) {
	d.m.Switch(d.sized(2)).
		Case(hw.K(1), func() { r.Set(d.sized(r.Width())) }).
		Any([]hw.Bits{hw.K(0), hw.K(3)}, func() { r.Set(d.sized(r.Width())) })
}
