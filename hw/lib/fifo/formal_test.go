package fifo_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
	"github.com/hotline-rtl/hotline/hw/lib/stream"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// proof asserts the guarantees of a queue. Words stay until they are taken, keep their order and
// do not exceed the capacity; the level is their number.
type proof struct {
	Block bool
	Depth int
}

// ModuleName returns the name of the proof.
func (p proof) ModuleName() string { return fmt.Sprintf("proof_%v_d%d", p.Block, p.Depth) }

func (p proof) Build(m *hw.Module) struct{} {
	of, most := hw.Width(2), p.Depth
	push, pop, follow := m.Sink("push", 2), m.Source("pop", 2), m.In("follow", 1)
	var part hw.Generator[fifo.Ports[hw.Bits]] = fifo.FIFO[hw.Bits]{Of: of, Depth: p.Depth}
	if p.Block {
		part, most = fifo.BlockFIFO[hw.Bits]{Of: of, Depth: p.Depth}, p.Depth+1
	}
	queue := hw.Inst(m, "queue", part)
	queue.Push.Connect(push)
	pop.Connect(queue.Pop)
	stream.Assume(m, "in", of, push)
	stream.Check(m, "out", of, pop)
	stream.InOrder(m, "order", of, push, pop, most, follow)
	level := m.Reg("level", queue.Level.Width(), 0)
	level.Set(level.Add(push.Fire().Ext(level.Width())).Sub(pop.Fire().Ext(level.Width())))
	m.Assert(queue.Level.Eq(level), "the level is the number of words")
	return struct{}{}
}

func TestFormal(t *testing.T) {
	for _, p := range []proof{{false, 1}, {false, 2}, {false, 3}, {false, 4}, {false, 5}, {true, 2}, {true, 3}, {true, 4}} {
		d, err := hw.Elaborate(p)
		require.NoError(t, err)
		formal.Holds(t, d)
	}
	for _, p := range []proof{{false, 3}, {true, 3}} {
		d, err := hw.Elaborate(p)
		require.NoError(t, err)
		bench.Stick(d, map[bool]string{false: "fifo", true: "block_fifo"}[p.Block], "tail")
		formal.Fails(t, d, "order: words keep their order", "out: data stays until the transfer")
	}
}
