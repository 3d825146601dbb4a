package arb_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/arb"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
	"github.com/hotline-rtl/hotline/hw/lib/stream"
)

// fair asserts that of n who wait nobody is passed by the same rival twice. A proof is about
// any two of them. In a cycle with served, that one of all, one-hot, is served.
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

// asking has what a RoundRobin promises.
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

// packets has what a Mux promises.
type packets struct{ N int }

type packetsPorts struct {
	Push hw.Array[hw.Stream[arb.Word[hw.Bits]]] `hw:"in,2,len=N"`
	Pop  hw.Stream[arb.Word[hw.Bits]]           `hw:"out,2"`
}

func (p packets) Build(m *hw.Module) packetsPorts {
	io := hw.Ports[packetsPorts](m)
	of, word := hw.Width(2), hw.Of[arb.Word[hw.Bits]](struct{ Of hw.Shape[hw.Bits] }{hw.Width(2)})
	mux := hw.Inst(m, "mux", arb.Mux[hw.Bits]{Of: of, N: p.N})
	var taken []hw.Bits
	for i := range p.N {
		mux.Push.N(i).Connect(io.Push.N(i))
		stream.Assume(m, "in", word, io.Push.N(i))
		taken = append([]hw.Bits{io.Push.N(i).Fire()}, taken...)
	}
	_ = taken
	io.Pop.Connect(mux.Pop)
	stream.Check(m, "out", word, io.Pop)
	return io
}

func TestFormal(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8, 16} {
		d := elaborate(t, asking{n})
		formal.Holds(t, d)
	}
	d := elaborate(t, asking{3})
	bench.Stick(d, "round_robin", "above")
	formal.Fails(t, d, "nobody is passed twice")
}

func elaborate[P any](t *testing.T, g hw.Generator[P]) *ir.Design {
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	return d
}
