package xbar

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/arb"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
)

// Xbar moves words from Sources to Dests. The sources form Groups contiguous groups of equal size.
// Each destination has one fifo.BlockFIFO per group, with Depth of at least 2. The queue takes one
// word per cycle from its group, round robin. Each destination serves its queues round robin, one
// word per cycle.
//
// Groups of one source yield a crosspoint-queued switch. A single group yields an output-queued
// switch that takes one word per destination and cycle. The minimum latency is three cycles.
type Xbar[T any] struct {
	Of      hw.Shape[T] `hw:"parameter" doc:"word"`
	Sources int         `doc:"inputs"`
	Dests   int         `doc:"outputs"`
	Groups  int         `doc:"groups of inputs; an output has a queue for each"`
	Depth   int         `doc:"words of a queue"`
}

// Ports are the ports of an Xbar. Dest contains the destination of each source's word. It is less
// than Dests and part of the payload: it must stay until the transfer. In.Ready depends
// combinationally on In.Valid and Dest.
type Ports[T any] struct {
	In   hw.Array[hw.Stream[T]] `hw:"in,of=Of,len=Sources" doc:"words, by input"`
	Dest hw.Vec                 `hw:"in,DestBits,len=Sources,name=in_dest" doc:"output of the word, by input"`
	Out  hw.Array[hw.Stream[T]] `hw:"out,of=Of,len=Dests" doc:"words, by output"`
}

// DestBits returns the width of a destination's number.
func (p Xbar[T]) DestBits() int { return hw.IndexWidth(max(p.Dests, 1)) }

// Build describes the switch.
func (p Xbar[T]) Build(m *hw.Module) Ports[T] {
	m.Doc("Crossbar with a queue for each destination and group of sources.")
	io := hw.Ports[Ports[T]](m)
	if p.Groups < 1 || p.Sources%p.Groups != 0 {
		m.Errorf("%d sources in %d groups; expected groups of equal size", p.Sources, p.Groups)
		return io
	}
	// A word moves as a whole.
	words := m.WireVec("word", p.Sources, p.Of.Bits())
	m.For("source", p.Sources, func(i hw.Index) { words.At(i).Set(hw.Pack(io.In.At(i).Data)) })
	valid, ready := hw.Valids(io.In), hw.Readies(io.In)
	requests := hw.Route(valid.Pack(), io.Dest, p.Dests).As("request")
	grants := m.WireVec("grant", p.Dests, p.Sources)
	m.For("dest", p.Dests, func(j hw.Index) {
		grants.At(j).Set(p.destination(m, requests.At(j), words, io.Out.At(j)))
	})
	ready.Set(grants.ReduceOr().Unpack(1))

	if p.Dests < 1<<hw.IndexWidth(p.Dests) {
		m.For("checked", p.Sources, func(i hw.Index) {
			m.When(valid.At(i), func() { m.Assert(io.Dest.At(i).Lt(hw.Named("dests", p.Dests)), "destination in range") })
		})
	}
	return io
}

// destination describes the queues of one output. It returns a mask of the requesting sources
// whose words the queues take.
func (p Xbar[T]) destination(m *hw.Module, request hw.Bits, words hw.Vec, out hw.Stream[T]) hw.Bits {
	size := p.Sources / p.Groups
	requests := request.Unpack(size)
	grants := m.WireVec("group_grant", p.Groups, size)
	waiting := m.WireVec("waiting", p.Groups, 1)
	heads := m.WireVec("head", p.Groups, p.Of.Bits())
	serve := m.Wire("serve", p.Groups)

	m.For("group", p.Groups, func(g hw.Index) {
		queue := hw.Inst(m, "queue", fifo.BlockFIFO[T]{Of: p.Of, Depth: p.Depth})
		m.Unused(queue.Level)
		above := m.Reg("above", size, 0)
		request := requests.At(g).As("group_request")
		pick := arb.Pick(request, above).As("pick")
		queue.Push.Valid.Set(request.Any())
		hw.Set(queue.Push.Data, p.Of.Unpack(m, section(words, g, size).As("group_word").Select(pick).As("picked")))
		grants.At(g).Set(hw.Mux(queue.Push.Ready, pick, hw.K(0)))
		m.When(queue.Push.Fire(), func() { above.Set(arb.Above(pick)) })
		if size > 1 {
			m.Cover(request.And(request.Dec()).Any(), "several sources of a group ask for a destination")
		}

		waiting.At(g).Set(queue.Pop.Valid)
		heads.At(g).Set(hw.Pack(queue.Pop.Data))
		queue.Pop.Ready.Set(serve.Unpack(1).At(g))
	})

	p.serve(m, waiting.Pack(), heads, serve, out)
	return grants.Pack()
}

// serve describes the output register and selects the queue that fills it. The register keeps a
// word stable until its receiver takes it.
func (p Xbar[T]) serve(m *hw.Module, waiting hw.Bits, heads hw.Vec, serve hw.Bits, out hw.Stream[T]) {
	valid, data := m.Reg("valid", 1, 0), p.Of.Data(m, "data")
	above := m.Reg("above_group", p.Groups, 0)
	turn := arb.Pick(waiting, above).As("turn")
	free := valid.Not().Or(out.Ready).As("free")

	out.Valid.Set(valid)
	hw.Set(out.Data, data)
	serve.Set(hw.Mux(free, turn, hw.K(0)))
	m.When(free, func() { valid.Set(waiting.Any()) })
	m.When(serve.Any(), func() {
		hw.Set(data, p.Of.Unpack(m, heads.Select(turn)))
		above.Set(arb.Above(turn))
	})
}

// section returns the g-th part of v with size elements.
func section(v hw.Vec, g hw.Index, size int) hw.Vec {
	elems := make([]hw.Bits, size)
	for k := range elems {
		elems[k] = v.At(g.Times(size).Plus(k))
	}
	return hw.VecOf(elems...)
}
