package arb_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/arb"
	"github.com/hotline-rtl/hotline/hw/lib/stream"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// fair asserts that none of n waiting requesters is passed twice by the same rival. The proof
// covers every pair of requesters. served is the one-hot requester that is served in a cycle, or
// 0.
func fair(m *hw.Module, n int, waiting, served hw.Bits) {
	one, rival, passed := m.Data("one", hw.IndexWidth(n)), m.Data("rival", hw.IndexWidth(n)), m.Reg("passed", 1, 0)
	one.Set(one)
	rival.Set(rival)
	at := func(x, i hw.Bits) hw.Bits { return x.Shr(i).Bit(0) }
	waits := at(waiting, one).And(at(served, one).Not()).As("waits")
	passes := waits.And(at(served, rival)).As("passes")
	passed.Set(waits.And(passed.Or(passes)))
	m.Assert(passes.And(passed).Not(), "nobody is passed twice")
}

// asking asserts the guarantees of a RoundRobin.
type asking struct{ N int }

func (asking) ModuleName() string { return "requests" }

func (p asking) Build(m *hw.Module) struct{} {
	request, accept := m.In("request", p.N), m.In("accept", 1)
	a := hw.Inst(m, "arbiter", arb.RoundRobin(p))
	a.Request.Set(request)
	a.Accept.Set(accept)
	m.Assert(a.Grant.And(a.Grant.Dec()).IsZero(), "one grant at most")
	m.Assert(a.Grant.And(request.Not()).IsZero(), "who is granted asks")
	m.Assert(a.Grant.Any().Eq(request.Any()), "a request is granted")
	fair(m, p.N, request, hw.Mux(accept, a.Grant, hw.Zeros(p.N)))
	return struct{}{}
}

// packets asserts the guarantees of a Mux.
type packets struct{ N int }

type packetsPorts struct {
	Push hw.Array[hw.Stream[arb.Word[hw.Bits]]] `hw:"in,2,len=N"`
	Pop  hw.Stream[arb.Word[hw.Bits]]           `hw:"out,2"`
}

func (p packets) Build(m *hw.Module) packetsPorts {
	io := hw.Ports[packetsPorts](m)
	of, word := hw.Width(2), hw.Width(3)
	mux := hw.Inst(m, "mux", arb.Mux[hw.Bits]{Of: of, N: p.N})
	io.Pop.Connect(mux.Pop)
	stream.Check(m, "out", word, stream.Map(io.Pop, hw.Pack[arb.Word[hw.Bits]]))
	moves, ends := m.Wire("moves", p.N), m.Wire("ends", p.N)
	var fires, lasts []hw.Bits
	for i := range p.N {
		push := io.Push.N(i)
		mux.Push.N(i).Connect(push)
		stream.Assume(m, fmt.Sprint("in", i), word, stream.Map(push, hw.Pack[arb.Word[hw.Bits]]))
		fires = append([]hw.Bits{push.Fire()}, fires...)
		lasts = append([]hw.Bits{push.Fire().And(push.Data.Last)}, lasts...)
		m.When(push.Fire(), func() {
			m.Assert(io.Pop.Fire().And(hw.Pack(io.Pop.Data).Eq(hw.Pack(push.Data))), "a word comes out as it goes in")
		})
	}
	moves.Set(hw.Cat(fires...))
	ends.Set(hw.Cat(lasts...))
	m.Assert(moves.And(moves.Dec()).IsZero(), "one word goes in at most")
	m.Assert(moves.Any().Eq(io.Pop.Fire()), "a word that comes out goes in")
	owner := m.Reg("owner", p.N, 0) // of the current packet
	m.When(moves.Any(), func() {
		owner.Set(hw.Mux(ends.Any(), hw.K(0), moves))
		m.Assert(owner.IsZero().Or(owner.Eq(moves)), "packets stay whole")
	})
	fair(m, p.N, hw.Valids(io.Push).Pack(), ends)
	return io
}

func TestFormal(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8, 16} {
		formal.Holds(t, elaborate(t, asking{n}))
	}
	d := elaborate(t, asking{3})
	bench.Stick(d, "round_robin", "above")
	formal.Fails(t, d, "nobody is passed twice")
}

func TestFormalMux(t *testing.T) {
	for _, n := range []int{2, 3, 5} {
		formal.Holds(t, elaborate(t, packets{n}))
	}
	for register, text := range map[string]string{"above": "nobody is passed twice", "owner": "packets stay whole"} {
		d := elaborate(t, packets{3})
		bench.Stick(d, "mux", register)
		formal.Fails(t, d, text, "out: data stays until the transfer")
	}
}

func elaborate[P any](t *testing.T, g hw.Generator[P]) *ir.Design {
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	return d
}
