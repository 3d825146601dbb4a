package netlist_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// mixer is a pipeline of arithmetic rounds, with about 10 operations per round.
type mixer struct{ Rounds int }

type mixerPorts struct{ A, Q hw.Bits }

func (p mixer) Build(m *hw.Module) mixerPorts {
	io := mixerPorts{m.In("a", 32), m.Out("q", 32)}
	x, y := io.A, io.A.Not()
	for i := range p.Rounds {
		r := m.Reg(fmt.Sprint("r", i), 32, uint64(i))
		m.When(x.Bit(3), func() {
			r.Set(x.Add(y).Xor(r))
		}).ElseWhen(y.Lt(r), func() {
			r.Set(hw.Mux(x.Bit(5), y.Shl(x.Trunc(5)), y.Sub(x)))
		})
		x, y = r, x
	}
	io.Q.Set(x)
	return io
}

// array contains mixers that write a vector. Each lane reads an element of the vector.
type array struct{ Lanes, Rounds int }

func (p array) Build(m *hw.Module) mixerPorts {
	io := mixerPorts{m.In("a", 32), m.Out("q", 32)}
	v := m.RegVec("v", p.Lanes, 32, 0)
	m.For("lane", p.Lanes, func(i hw.Index) {
		x := hw.Inst(m, "mix", mixer{p.Rounds})
		x.A.Set(v.Index(v.At(i).Trunc(hw.IndexWidth(p.Lanes))).Add(io.A))
		v.At(i).Set(x.Q)
	})
	io.Q.Set(v.ReduceOr())
	return io
}

func BenchmarkElaborate(b *testing.B) {
	for range b.N {
		_, err := hw.Elaborate(array{64, 150})
		require.NoError(b, err)
	}
}

func BenchmarkFlatten(b *testing.B) {
	d, err := hw.Elaborate(array{64, 150})
	require.NoError(b, err)
	lowered, _ := drivers.Lower(d)
	b.ResetTimer()
	for range b.N {
		f, _ := netlist.Flatten(lowered)
		b.ReportMetric(float64(len(f.Ops)), "ops")
	}
}
