package cdc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/cdc"
	rules "github.com/hotline-rtl/hotline/hw/lib/stream"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// proof sends consecutive numbers through a stream and expects them in the same order. Words stay
// until they are taken and keep their order; none is lost or duplicated.
type proof struct {
	Kind  string
	Width int // of a number; there are more than twice as many numbers as words in flight
	Depth int
}

// ModuleName returns the name of the proof.
func (p proof) ModuleName() string { return "proof_" + p.Kind }

func (p proof) Build(m *hw.Module) struct{} {
	from, to, of := m.Clock("from", "from_rst"), m.Clock("to", "to_rst_n", hw.Low, hw.Async), hw.Width(p.Width)
	var push, pop hw.Stream[hw.Bits]
	if p.Kind == "fifo" {
		push, pop = cdc.FIFO(m, "part", from, to, of, p.Depth)
	} else {
		push, pop = cdc.Handshake(m, "part", from, to, of)
	}
	m.Clocked(from, func() {
		next := m.Reg("next", p.Width, 0)
		push.Valid.Set(m.In("push", 1))
		push.Data.Set(next)
		m.When(push.Fire(), func() { next.Set(next.Inc()) })
		rules.Assume(m, "in", of, push)
	})
	m.Clocked(to, func() {
		next := m.Reg("expected", p.Width, 0)
		pop.Ready.Set(m.In("pop", 1))
		m.When(pop.Fire(), func() { next.Set(next.Inc()) })
		m.Assert(pop.Valid.Not().Or(pop.Data.Eq(next)), "numbers come in turn")
		rules.Check(m, "out", of, pop)
	})
	return struct{}{}
}

// TestFormal: all numbers arrive in order, whichever crossings are late.
func TestFormal(t *testing.T) {
	for _, p := range []proof{{"handshake", 2, 1}, {"fifo", 3, 2}, {"fifo", 4, 4}} {
		d, err := hw.Elaborate(p, hw.LateCrossings())
		require.NoError(t, err)
		formal.Holds(t, d)
		bench.Stick(d, "proof_"+p.Kind, map[string]string{"handshake": "part_word", "fifo": "part_head"}[p.Kind])
		formal.Fails(t, d, "numbers come in turn")
	}
}
