package xbar_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/stream"
	"github.com/hotline-rtl/hotline/hw/lib/xbar"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// proof is a switch with receivers that stall arbitrarily. One word at a time is marked, from any
// source to any destination. It must arrive exactly once, at its destination, within Limit rounds
// of its offer.
type proof struct {
	Of                                   hw.Shape[hw.Bits]
	Sources, Dests, Groups, Depth, Limit int
}

// DestBits returns the width of a destination's number.
func (p proof) DestBits() int { return hw.IndexWidth(p.Dests) }

// ModuleName returns the name of the proof.
func (proof) ModuleName() string { return "proof" }

func (p proof) Build(m *hw.Module) xbar.Ports[hw.Bits] {
	io := hw.Ports[xbar.Ports[hw.Bits]](m)
	net := hw.Inst(m, "net", xbar.Xbar[hw.Bits]{Of: p.Of, Sources: p.Sources, Dests: p.Dests, Groups: p.Groups, Depth: p.Depth})
	net.Dest.Set(io.Dest)
	to, inside := m.Data("to", p.DestBits()), m.Reg("inside_net", 1, 0)
	var stalls []hw.Bits
	offered, arrives := m.WireVec("offered", p.Sources, 1), m.WireVec("arrives", p.Dests, 1)
	for i := range p.Sources {
		in := io.In.N(i)
		net.In.N(i).Connect(in)
		stream.Assume(m, fmt.Sprint("in", i), hw.Width(1+p.DestBits()), hw.Stream[hw.Bits]{Valid: in.Valid, Ready: in.Ready, Data: hw.Cat(in.Data, io.Dest.N(i))})
		m.Assume(io.Dest.N(i).Le(hw.K(p.Dests-1)), "there is such a destination")
		marked := in.Valid.And(in.Data.Bit(0))
		offered.N(i).Set(marked)
		m.When(marked.And(in.Ready), func() { to.Set(io.Dest.N(i)) })
	}
	for j := range p.Dests {
		out := io.Out.N(j)
		out.Connect(net.Out.N(j))
		stream.Check(m, fmt.Sprint("out", j), hw.Width(1), out)
		stalls = append(stalls, out.Valid.And(out.Ready.Not()))
		arrives.N(j).Set(out.Fire().And(out.Data.Bit(0)))
		m.Assert(arrives.N(j).Not().Or(inside.And(to.Eq(hw.K(j)))), "a word comes out once, where it is sent")
	}
	offers, came := offered.Pack().As("offers"), arrives.Pack().Any().As("came")
	m.Assume(offers.And(offers.Dec()).IsZero().And(inside.And(offers.Any()).Not()), "one word is marked")
	takes := offers.And(hw.Readies(io.In).Pack()).Any().As("takes")
	inside.Set(inside.And(came.Not()).Or(takes))
	age := m.Reg("age", hw.CountWidth(p.Limit+1), 0)
	waits := offers.Any().Or(inside).And(came.Not()).As("on_its_way")
	age.Set(hw.Mux(waits, age.Add(stream.Round(m, "receivers", stalls).Ext(age.Width())), hw.K(0)))
	m.Assert(waits.And(age.Eq(hw.K(p.Limit))).Not(), "no word is on its way too long")
	return io
}

func TestFormal(t *testing.T) {
	for register, p := range map[string]proof{
		"above":       {Sources: 2, Dests: 2, Groups: 1, Depth: 2, Limit: 12},
		"above_group": {Sources: 2, Dests: 1, Groups: 2, Depth: 2, Limit: 16},
	} {
		p.Of = hw.Width(1)
		d, err := hw.Elaborate(p)
		require.NoError(t, err)
		formal.Holds(t, d)
		bench.Stick(d, "xbar", register)
		formal.Fails(t, d, "no word is on its way too long")
	}
}
