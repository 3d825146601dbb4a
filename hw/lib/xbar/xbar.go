package xbar

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/arb"
	"github.com/hotline-rtl/hotline/hw/lib/lanes"
)

// Xbar moves words of Width bits from Sources to Dests. The sources form
// Groups contiguous groups of equal size. For each destination and group there
// is a queue of Depth words, a power of two, at least 2, that takes a word per
// cycle, round robin over the group; each destination serves its queues round
// robin, a word per cycle.
//
// Groups of 1 source give a crosspoint-queued switch, a single group an
// output-queued one that takes one word per destination and cycle. A word
// reaches the output two cycles after its input at the soonest.
type Xbar struct {
	Sources, Dests, Width, Groups, Depth int
}

// Ports are the ports of an Xbar. Dest is, for each source, where its word
// goes: IndexWidth(Dests) bits, less than Dests, part of the payload. In.Ready
// depends on In.Valid and Dest in the same cycle.
type Ports struct {
	In   lanes.Lanes // of Sources
	Dest hw.Vec
	Out  lanes.Lanes // of Dests
}

// Build describes the switch.
func (p Xbar) Build(m *hw.Module) Ports {
	m.Doc("Crossbar with a queue for each destination and group of sources.")
	io := Ports{
		In:   lanes.Sink(m, "in", p.Sources, p.Width),
		Dest: m.InVec("in_dest", p.Sources, hw.IndexWidth(p.Dests)),
		Out:  lanes.Source(m, "out", p.Dests, p.Width),
	}
	if p.Groups < 1 || p.Sources%p.Groups != 0 {
		m.Errorf("%d sources in %d groups; want groups of equal size", p.Sources, p.Groups)
		return io
	}
	requests := hw.Route(io.In.Valid.Pack(), io.Dest, p.Dests).As("request")
	grants := m.WireVec("grant", p.Dests, p.Sources)
	m.For("dest", p.Dests, func(j hw.Index) {
		grants.At(j).Set(p.destination(m, requests.At(j), io.In.Data, io.Out.At(j)))
	})
	io.In.Ready.Set(grants.ReduceOr().Unpack(1))

	if p.Dests < 1<<hw.IndexWidth(p.Dests) {
		m.For("source", p.Sources, func(i hw.Index) {
			m.When(io.In.Valid.At(i), func() { m.Assert(io.Dest.At(i).Lt(hw.K(p.Dests)), "destination in range") })
		})
	}
	return io
}

// destination describes the queues in front of one output. It gives the
// sources, of those that request, whose words they take.
func (p Xbar) destination(m *hw.Module, request hw.Bits, data hw.Vec, out hw.Stream[hw.Bits]) hw.Bits {
	size := p.Sources / p.Groups
	requests := request.Unpack(size)
	grants := m.WireVec("group_grant", p.Groups, size)
	waiting := m.WireVec("waiting", p.Groups, 1)
	heads := m.WireVec("head", p.Groups, p.Width)
	serve := m.Wire("serve", p.Groups)

	m.For("group", p.Groups, func(g hw.Index) {
		queue := hw.Inst(m, "queue", Queue{Width: p.Width, Depth: p.Depth})
		above := m.Reg("above", size, 0)
		request := requests.At(g).As("group_request")
		pick := arb.Pick(request, above).As("pick")
		queue.Push.Valid.Set(request.Any())
		queue.Push.Data.Set(section(data, g, size).As("group_data").Select(pick))
		grants.At(g).Set(hw.Mux(queue.Push.Ready, pick, hw.K(0)))
		m.When(queue.Push.Fire(), func() { above.Set(arb.Above(pick)) })

		waiting.At(g).Set(queue.Pop.Valid)
		heads.At(g).Set(queue.Pop.Data)
		queue.Pop.Ready.Set(serve.Unpack(1).At(g))
	})

	p.serve(m, waiting.Pack(), heads, serve, out)
	return grants.Pack()
}

// serve describes the output register, which keeps a word that waits for its
// receiver from changing, and who fills it.
func (p Xbar) serve(m *hw.Module, waiting hw.Bits, heads hw.Vec, serve hw.Bits, out hw.Stream[hw.Bits]) {
	valid, data := m.Reg("valid", 1, 0), m.Data("data", p.Width)
	above := m.Reg("above_group", p.Groups, 0)
	turn := arb.Pick(waiting, above).As("turn")
	free := valid.Not().Or(out.Ready).As("free")

	out.Valid.Set(valid)
	out.Data.Set(data)
	serve.Set(hw.Mux(free, turn, hw.K(0)))
	m.When(free, func() { valid.Set(waiting.Any()) })
	m.When(serve.Any(), func() {
		data.Set(heads.Select(turn))
		above.Set(arb.Above(turn))
	})
}

// section is the g-th part of v that has size elements.
func section(v hw.Vec, g hw.Index, size int) hw.Vec {
	elems := make([]hw.Bits, size)
	for k := range elems {
		elems[k] = v.At(g.Times(size).Plus(k))
	}
	return hw.VecOf(elems...)
}
