package verilog_test

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// ports are the ports of designs that are lists of outputs.
type ports struct {
	In, Out []hw.Bits
	InVec   []hw.Vec
}

// out declares an output of a value.
func (p *ports) out(m *hw.Module, name string, x hw.Bits) {
	o := m.Out(name, x.Width())
	o.Set(x)
	p.Out = append(p.Out, o)
}

// every instantiates generators with the same kinds of inputs. It feeds each from its own wide
// inputs.
func every(m *hw.Module, of []hw.Generator[ports], inputs int) ports {
	var io ports
	for i := range inputs {
		io.In = append(io.In, m.In(fmt.Sprintf("in%d", i), 1100))
	}
	for k, g := range of {
		u := hw.Inst(m, fmt.Sprintf("unit%d", k), g)
		for i, x := range u.In {
			x.Set(io.In[i].Slice(x.Width()+k, k+1))
		}
		for i, v := range u.InVec {
			v.Set(io.In[len(u.In)+i].Trunc(v.Len() * v.Width()).Unpack(v.Width()))
		}
		for i, x := range u.Out {
			io.out(m, fmt.Sprintf("unit%d_out%d", k, i), x)
		}
	}
	return io
}

// fifo is a queue: memory, pointers and named conditions.
type fifo struct{ Width, Depth int }

type fifoPorts struct {
	Push, Pop hw.Stream[hw.Bits]
	Level     hw.Bits
}

func (p fifo) Build(m *hw.Module) fifoPorts {
	m.Doc("a first-word-fall-through queue")
	io := fifoPorts{
		Push:  m.Sink("push", p.Width),
		Pop:   m.Source("pop", p.Width),
		Level: m.Out("level", hw.CountWidth(p.Depth)),
	}
	mem := m.Mem("mem", p.Depth, p.Width)
	aw := hw.IndexWidth(p.Depth)
	head, tail := m.Reg("head", aw, 0), m.Reg("tail", aw, 0)
	count := m.Reg("count", hw.CountWidth(p.Depth), 0)
	push, pop := io.Push.Fire().As("do_push"), io.Pop.Fire().As("do_pop")

	io.Push.Ready.Set(count.Ne(hw.K(p.Depth)))
	io.Pop.Valid.Set(count.Ne(hw.K(0)))
	io.Pop.Data.Set(mem.Read(head))
	io.Level.Set(count)

	next := func(at hw.Bits) hw.Bits {
		if p.Depth&(p.Depth-1) == 0 {
			return at.Inc()
		}
		return hw.Mux(at.Eq(hw.K(p.Depth-1)), hw.K(0), at.Inc())
	}
	m.When(push, func() {
		mem.Write(tail, io.Push.Data)
		tail.Set(next(tail))
	})
	m.When(pop, func() { head.Set(next(head)) })
	m.When(push.And(pop.Not()), func() {
		count.Set(count.Inc())
	}).ElseWhen(pop.And(push.Not()), func() {
		count.Set(count.Dec())
	})
	m.Assert(count.Le(hw.K(p.Depth)), "the level stays within the depth")
	m.When(push, func() { m.Assert(count.Ne(hw.K(p.Depth)), "no push when full") })
	return io
}

// lookup is a state machine with a stream on each side.
type lookup struct{ IndexBits int }

type lookupPorts struct {
	Index, Probe, Hit, Hot hw.Stream[hw.Bits]
	Last                   hw.Bits
}

func (p lookup) Build(m *hw.Module) lookupPorts {
	m.Doc("decides whether all sparse indices of one training input are hot")
	io := lookupPorts{
		Index: m.Sink("index", p.IndexBits), Last: m.In("index_last", 1),
		Probe: m.Source("probe", p.IndexBits), Hit: m.Sink("hit", 1),
		Hot: m.Source("hot", 1),
	}
	hot, last := m.Reg("all_hot", 1, 1), m.Reg("last", 1, 0)
	st := hw.FSM[struct{ Ask, WaitHit, Tell hw.State }](m, "state")
	for _, x := range []hw.Bits{io.Index.Ready, io.Probe.Valid, io.Probe.Data, io.Hit.Ready, io.Hot.Valid, io.Hot.Data} {
		x.Set(hw.K(0))
	}
	st.Ask.Do(func() {
		io.Probe.Valid.Set(io.Index.Valid)
		io.Probe.Data.Set(io.Index.Data)
		io.Index.Ready.Set(io.Probe.Ready)
		m.When(io.Index.Fire(), func() { last.Set(io.Last); st.WaitHit.Next() })
	})
	st.WaitHit.Do(func() {
		io.Hit.Ready.Set(hw.K(1))
		m.When(io.Hit.Fire(), func() {
			hot.Set(hot.And(io.Hit.Data))
			m.When(last, st.Tell.Next).Else(st.Ask.Next)
		})
	})
	st.Tell.Do(func() {
		io.Hot.Valid.Set(hw.K(1))
		io.Hot.Data.Set(hot)
		m.When(io.Hot.Fire(), func() { hot.Set(hw.K(1)); st.Ask.Next() })
	})
	return io
}

// lanes has arrays of instances, registers and wires, and nested loops.
type lanes struct{ N int }

type lanesPorts struct {
	Valid  hw.Bits
	Data   hw.Vec
	Shares hw.Vec
	Out    hw.Vec
	Any    hw.Bits
	Total  hw.Bits
	Ranks  hw.Vec
	Grid   hw.Vec
}

func (p lanes) Build(m *hw.Module) lanesPorts {
	m.Doc("queues side by side")
	io := lanesPorts{
		Valid: m.In("valid", p.N), Data: m.InVec("data", p.N, 8), Shares: m.InVec("shares", p.N, 6),
		Out: m.OutVec("out", p.N, 8), Any: m.Out("any", 1), Total: m.Out("total", 8),
		Ranks: m.OutVec("ranks", p.N, 4), Grid: m.OutVec("grid", p.N*3, 2),
	}
	ready := m.WireVec("ready", p.N, 1)
	held := m.RegVec("held", p.N, 8, 3)
	sums := m.WireVec("sums", p.N+1, 8)
	sums.N(0).Set(hw.Lit(8, 0))
	m.For("lane", p.N, func(i hw.Index) {
		q := hw.Inst(m, "queue", fifo{8, 4})
		q.Push.Valid.Set(io.Valid.Unpack(1).At(i))
		q.Push.Data.Set(io.Data.At(i).Add(i.Bits(8)))
		q.Pop.Ready.Set(hw.K(1))
		ready.At(i).Set(q.Push.Ready)
		io.Out.At(i).Set(q.Pop.Data)
		m.When(q.Pop.Valid, func() { held.At(i).Set(q.Pop.Data) })
		sums.At(i.Plus(1)).Set(sums.At(i).Add(held.At(i)))

		rank := m.Wire("rank", 4)
		rank.Set(hw.K(0))
		m.When(i.Bits(3).Lt(io.Data.At(i).Trunc(3)), func() { rank.Set(hw.K(5)) })
		m.When(held.At(i).Bit(7), func() { rank.Set(i.Plus(2).Bits(4)) })
		io.Ranks.At(i).Set(rank)

		m.For("column", 3, func(j hw.Index) {
			at := i.Times(3).Add(j)
			io.Grid.At(at).Set(io.Shares.At(i).Unpack(2).At(j).Add(at.Bits(5).Trunc(2)))
		})
	})
	io.Any.Set(ready.Pack().Any())
	io.Total.Set(sums.N(p.N))
	return io
}

// scalars has every operator on words of one width.
type scalars struct{ Width int }

func (p scalars) Build(m *hw.Module) ports {
	w := p.Width
	a, b, c := m.In("a", w), m.In("b", w), m.In("c", 1)
	s, t := m.In("s", hw.IndexWidth(w)), m.In("t", hw.CountWidth(w)+1)
	io := ports{In: []hw.Bits{a, b, c, s, t}}
	out := func(name string, x hw.Bits) { io.out(m, name, x) }
	out("invert", a.Not())
	out("negate", a.Neg())
	out("all", a.All())
	out("any", a.Any())
	out("parity", a.Parity())
	out("sum", a.Add(b))
	out("difference", a.Sub(b))
	out("product", a.Mul(b))
	out("conj", a.And(b))
	out("disj", a.Or(b))
	out("exclusive", a.Xor(b))
	out("same", a.Eq(b))
	out("differs", a.Ne(b))
	out("below", a.Lt(b))
	out("up_to", a.Le(b))
	out("below_signed", a.LtS(b))
	out("left", a.Shl(t))
	out("right", a.Shr(t))
	out("right_signed", a.ShrS(t))
	out("left_by_1", a.Shl(hw.K(1)))
	out("right_signed_by_1", a.ShrS(hw.K(1)))
	out("choice", hw.Mux(c, a, b))
	out("top_bit", a.Bit(w-1))
	out("joined", hw.Cat(c, a, b.Bit(0), a.Resize(3)))
	out("copies", a.Repeat(3))
	out("zero_extended", a.Ext(w+3))
	out("sign_extended", a.SExt(w+3))
	out("carried", a.Ext(w+1).Add(b.Ext(w+1)))
	out("lowest", a.Lowest())
	out("encoded", a.Encode())
	out("decoded", s.Decode(w))
	out("decoded_short", t.Decode((w+1)/2))
	out("ones_count", a.Count())
	out("rotated_by_3", a.RotL(3))
	out("mixed", a.Sub(b.Add(a)).Xor(a.And(b.Or(a.Not()))).Mul(b.Sub(a.Neg())))
	out("nested", hw.Mux(a.Lt(b), a.ShrS(s).Add(b), hw.Mux(c, b.Lowest(), a.Sub(b).Shr(s))))
	out("formula", a.Eq(b).Or(c.And(a.Lt(b).Not())).Xor(a.Any().And(b.All())))
	out("sliced_sum", a.Ext(w+2).Mul(b.Ext(w+2)).Slice(w+1, 1))
	return io
}

type allScalars struct{}

func (allScalars) Build(m *hw.Module) ports {
	var of []hw.Generator[ports]
	for _, w := range []int{1, 7, 8, 63, 64, 65, 130} {
		of = append(of, scalars{w})
	}
	return every(m, of, 5)
}

// arrays has every operator on vectors of N elements of Width bits.
type arrays struct{ N, Width int }

func (p arrays) Build(m *hw.Module) ports {
	n, w := p.N, p.Width
	sel, mask, x, c := m.In("sel", hw.IndexWidth(n)), m.In("mask", n), m.In("x", w), m.In("c", 1)
	v, u, dest := m.InVec("v", n, w), m.InVec("u", n, w), m.InVec("dest", n, 3)
	io := ports{In: []hw.Bits{sel, mask, x, c}, InVec: []hw.Vec{v, u, dest}}
	out := func(name string, x hw.Bits) { io.out(m, name, x) }
	out("picked", v.Index(sel))
	out("replaced", v.With(sel, x).Pack())
	out("equal_lanes", v.EqLanes(x))
	out("any_lane", v.ReduceOr())
	out("chosen", v.Select(mask))
	out("requests", hw.Route(mask, dest, 6).Pack())
	out("requests_far", hw.Route(mask, dest, 11).Pack())
	out("requests_wide", hw.Route(mask, v, 3).Pack())
	out("conj", v.And(u).Pack())
	out("disj", v.Or(u).Pack())
	out("exclusive", v.Xor(u).Pack())
	out("either", hw.Mux(c, v, u).Pack())
	out("first", v.N(0))
	out("last_of_mix", v.Xor(u).N(n-1))
	out("reversed", hw.VecOf(v.N(n-1), x, v.N(0)).Pack())
	out("winner", mask.Lowest().Encode())
	out("winner_data", v.Select(mask.Lowest()))
	out("grants", mask.Count())
	out("busy", v.EqLanes(x).And(mask).Any())
	out("next_sel", v.With(sel, x).Index(sel.Inc()))

	written := m.WireVec("written", n, w)
	written.Set(u)
	m.When(c, func() { written.Index(sel).Set(x) })
	out("rewritten", written.Pack())
	return io
}

type allArrays struct{}

func (allArrays) Build(m *hw.Module) ports {
	var of []hw.Generator[ports]
	for _, p := range []arrays{{1, 1}, {1, 8}, {2, 1}, {3, 7}, {5, 8}, {8, 1}, {6, 64}, {4, 65}, {8, 130}} {
		of = append(of, p)
	}
	return every(m, of, 7)
}

// state has registers and memories in all the ways they can be written.
type state struct{ Depth int }

func (p state) Build(m *hw.Module) ports {
	m.Doc("registers and memories")
	aw := hw.IndexWidth(p.Depth)
	en, we := m.In("en", 1), m.In("we", 1)
	at, to, x := m.In("at", aw), m.In("to", aw), m.In("x", 8)
	sel := m.In("sel", 3)
	io := ports{In: []hw.Bits{en, we, at, to, x, sel}}
	out := func(name string, x hw.Bits) { io.out(m, name, x) }

	// A pipeline: neighbours without conditions.
	v1, v2 := m.Reg("v1", 1, 0), m.Reg("v2", 1, 0)
	d1, d2 := m.Data("d1", 8), m.Data("d2", 8)
	v1.Set(en)
	d1.Set(x)
	v2.Set(v1)
	d2.Set(d1.Add(x))
	out("piped", hw.Cat(v2, d2))

	// A register with and one without reset under one condition.
	n, last := m.Reg("n", 70, 1), m.Data("last", 8)
	m.When(en, func() {
		n.Set(n.Add(x.Ext(70)))
		last.Set(x)
	}).ElseWhen(we, func() { n.Set(n.Shl(hw.K(1))) })
	out("n_out", n)
	out("last_out", last)

	// A single-port memory that does not read while it writes.
	ram, q := m.Mem("ram", p.Depth, 8).Style("block"), m.Data("q", 8)
	m.When(en, func() {
		m.When(we, func() { ram.Write(at, x) }).Else(func() { q.Set(ram.Read(at)) })
	})
	out("q_out", q)

	// Two writes in order, an asynchronous and a conditional read.
	file := m.Mem("file", p.Depth, 5)
	m.When(we, func() { file.Write(at, x.Trunc(5)) })
	m.When(en, func() { file.Write(to, x.Slice(7, 3)) })
	out("file_read", file.Read(at))
	best := m.Wire("best", 5)
	best.Set(hw.K(0))
	m.When(en, func() { best.Set(file.Read(to)) })
	out("best_out", best)

	// Vectors: an element that is selected, one that is fixed, all of them.
	slots, marks := m.RegVec("slots", 6, 9, 0x155), m.DataVec("marks", 6, 1)
	m.When(we, func() { slots.Index(sel).Set(x.Ext(9)) })
	m.When(en.And(we), func() { slots.N(2).Set(hw.K(7)) })
	m.When(en, func() { marks.Set(marks.With(sel, we)) })
	out("slots_out", slots.Pack())
	out("marks_out", marks.Pack())
	out("slot", slots.Index(sel))

	// A shift register, element by element.
	taps := m.RegVec("taps", 4, 8, 2)
	taps.N(0).Set(x)
	m.For("tap", 3, func(i hw.Index) { taps.At(i.Plus(1)).Set(taps.At(i)) })
	out("taps_out", taps.Pack())

	// A memory and state in each copy of a loop.
	banks := m.WireVec("banks", 2, 8)
	m.For("bank", 2, func(i hw.Index) {
		cells, hits := m.Mem("cells", 4, 8), m.Reg("hits", 8, 0)
		mine := at.Resize(1).Eq(i.Bits(1)).As("mine")
		m.When(we.And(mine), func() {
			cells.Write(sel.Trunc(2), x)
			hits.Set(hits.Inc())
		})
		banks.At(i).Set(cells.Read(sel.Trunc(2)).Xor(hits))
	})
	out("banks_out", banks.Pack())
	return io
}

// wires has conditional wires in all the ways they can be grouped.
type wires struct{}

func (wires) ModuleName() string { return "wires" }

func (wires) Build(m *hw.Module) ports {
	m.Doc("conditions")
	a, b, s := m.In("a", 8), m.In("b", 8), m.In("s", 2)
	c, d := m.In("c", 1), m.In("d", 1)
	io := ports{In: []hw.Bits{a, b, s, c, d}}
	wire := func(name string, w int) hw.Bits {
		o := m.Out(name, w)
		io.Out = append(io.Out, o)
		return o
	}

	// Two wires that share their conditions. A third wire depends on the first.
	x, y, z := wire("x", 8), wire("y", 8), wire("z", 8)
	for _, t := range []hw.Bits{x, y, z} {
		t.Set(hw.K(0))
	}
	m.When(c, func() {
		x.Set(a.Add(b))
		y.Set(a.Sub(b))
		z.Set(x.Not())
	}).ElseWhen(d, func() {
		x.Set(a)
		z.Set(b)
	}).Else(func() { y.Set(b) })

	// A complete switch without default, and one with cases in common.
	full, part := wire("full", 8), wire("part", 8)
	part.Set(hw.K(9))
	m.Switch(s).
		Case(hw.K(0), func() { full.Set(a) }).
		Case(hw.K(1), func() { full.Set(b) }).
		Case(hw.K(2), func() { full.Set(a.And(b)) }).
		Case(hw.K(3), func() { full.Set(hw.K(255)) })
	m.Switch(a).
		Any([]hw.Bits{hw.K(1), hw.K(2), hw.K(200)}, func() { part.Set(b) }).
		Case(hw.K(3), func() {}).
		Default(func() { part.Set(a) })

	// A complete switch with cases that do nothing, after a value on every path.
	kept := wire("kept", 8)
	m.When(d, func() { kept.Set(a) }).Else(func() { kept.Set(b) })
	m.Switch(s).
		Any([]hw.Bits{hw.K(0), hw.K(1)}, func() {}).
		Case(hw.K(2), func() {}).
		Case(hw.K(3), func() { kept.Set(hw.K(7)) })

	// A condition that depends only on the loop, and elements that a loop and the module drive
	// together.
	ends, shared := m.OutVec("ends", 4, 3), m.OutVec("shared", 5, 4)
	shared.N(4).Set(a.Trunc(4))
	m.For("spot", 4, func(i hw.Index) {
		mine := m.Wire("mine", 3)
		mine.Set(hw.K(1))
		m.When(i.Bits(2).Eq(hw.K(3)), func() { mine.Set(hw.K(4)) })
		ends.At(i).Set(mine)
		m.When(c, func() { shared.At(i).Set(b.Trunc(4)) }).Else(func() { shared.At(i).Set(i.Bits(4)) })
	})

	// A vector whose elements depend on each other, under a condition.
	chain := m.OutVec("chain", 4, 8)
	m.When(d, func() {
		chain.Set(hw.VecOf(a, chain.N(0).Inc(), chain.N(1).Xor(b), chain.N(2)))
	}).Else(func() { chain.Set(hw.VecOf(b, b, a, a)) })

	// A chain through a loop, with defaults: each link is evaluated when the previous link changes,
	// not when any link does.
	carry := m.WireVec("carry", 5, 4)
	carry.N(0).Set(hw.K(0))
	m.When(c, func() { carry.N(0).Set(a.Trunc(4)) })
	m.For("link", 4, func(i hw.Index) {
		carry.At(i.Plus(1)).Set(carry.At(i))
		m.When(b.Unpack(1).At(i), func() { carry.At(i.Plus(1)).Set(carry.At(i).Add(hw.K(3))) })
	})
	io.out(m, "carried", carry.Index(a.Slice(7, 5)))

	// Values that are read often get names; a wire gives its own.
	often, sum := wire("often", 8), a.Add(b)
	total := m.Wire("total", 8)
	total.Set(sum)
	twice := a.Mul(b).Xor(a)
	often.Set(hw.Mux(c, sum, twice.Add(twice.Shr(hw.K(1)))).Sub(hw.Mux(d, sum.Inc(), twice)).Add(total))
	return io
}

// leftovers contains unread objects of all kinds: ports, bits, outputs of instances, dead registers
// and memories, and values that only an assertion reads.
type leftovers struct{}

func (leftovers) ModuleName() string { return "leftovers" }

func (leftovers) Build(m *hw.Module) ports {
	a, b, v := m.In("a", 8), m.In("b", 8), m.InVec("v", 4, 8)
	unread := m.In("unread", 5)
	io := ports{In: []hw.Bits{a, b, unread}, InVec: []hw.Vec{v}}

	dead := m.Reg("dead", 4, 0)
	dead.Set(dead.Inc())
	mem := m.Mem("written_only", 8, 4)
	mem.Write(a.Trunc(3), b.Trunc(4))
	a.Add(b).As("never")

	q := hw.Inst(m, "queue", fifo{8, 4})
	q.Push.Valid.Set(a.Bit(0))
	q.Push.Data.Set(b)
	q.Pop.Ready.Set(a.Bit(1))
	io.out(m, "some", q.Level.Bit(0))

	m.For("lane", 2, func(i hw.Index) {
		x := v.At(i.Times(2)).Add(b).As("x")
		m.Assert(x.Trunc(4).Ne(hw.K(9)).Or(unread.Bit(0)), "")
	})
	watch := m.Reg("watch", 3, 0)
	watch.Set(a.Slice(4, 2))
	m.Assert(watch.Ne(hw.K(5)), "five never comes")
	return io
}

// design is a test design.
type design struct {
	name  string
	build func() (*ir.Design, error)
}

func of[P any](name string, g hw.Generator[P]) design {
	return design{name, func() (*ir.Design, error) { return hw.Elaborate(g) }}
}

var designs = []design{
	of("fifo", fifo{32, 16}),
	of("fifo_odd", fifo{5, 5}),
	of("lookup", lookup{32}),
	of("lanes", lanes{4}),
	of("scalars", allScalars{}),
	of("arrays", allArrays{}),
	of("state", state{8}),
	of("state_odd", state{5}),
	of("wires", wires{}),
	of("leftovers", leftovers{}),
	of[ports]("pipeline", pipeline{}),
	of[quadPorts]("quads", quads{}),
	of[ports]("numbers", numbers{}),
	of[ports]("sized", sizedOnes{}),
}
