package lanes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
	"github.com/hotline-rtl/hotline/hw/lib/lanes"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// array is a register stage for each of N streams.
type array struct{ N, Width int }

type arrayPorts struct{ Push, Pop lanes.Lanes }

func (p array) Build(m *hw.Module) arrayPorts {
	io := arrayPorts{lanes.Sink(m, "push", p.N, p.Width), lanes.Source(m, "pop", p.N, p.Width)}
	m.For("lane", p.N, func(i hw.Index) {
		stage := hw.Inst(m, "stage", skid.Stage[hw.Bits]{Of: hw.Width(p.Width)})
		stage.Push.Connect(io.Push.At(i))
		io.Pop.At(i).Connect(stage.Pop)
	})
	return io
}

// wrapped is an array inside another module, joined with Connect.
type wrapped struct{ N, Width int }

func (p wrapped) Build(m *hw.Module) arrayPorts {
	io := arrayPorts{lanes.Sink(m, "push", p.N, p.Width), lanes.Source(m, "pop", p.N, p.Width)}
	inner := hw.Inst(m, "inner", array(p))
	inner.Push.Connect(io.Push)
	io.Pop.Connect(inner.Pop)
	return io
}

func TestStreamsStayApart(t *testing.T) {
	for _, p := range []wrapped{{1, 8}, {5, 33}, {70, 16}} {
		d, err := hw.Elaborate(p)
		require.NoError(t, err)
		b, err := bench.New(d, 1)
		require.NoError(t, err)
		push, pop := b.Push("push"), b.Pop("pop")
		push.Rate, pop.Rate = 0.6, 0.6
		sent := make([][]bench.Item, p.N)
		for i := range sent {
			for range 30 {
				it := push.Random()
				sent[i] = append(sent[i], it)
				push.Send(i, it)
			}
		}
		require.NoError(t, b.Drain(30*p.N, 1000))
		require.Equal(t, sent, pop.Got)
	}
}
