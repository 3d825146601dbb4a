package sim_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/late"
	"github.com/hotline-rtl/hotline/hw/lib/cdc"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// crossings has synchronisers in instances, in loops and in the module itself.
type crossings struct{}

type crossingsPorts struct {
	From hw.Clock `hw:"in,name=from"`
	To   hw.Clock `hw:"in,name=to"`
	X    hw.Bits  `hw:"in,8,clock=From"`
	Y    hw.Bits  `hw:"out,8,clock=To"`
}

func (crossings) Build(m *hw.Module) crossingsPorts {
	io := hw.Ports[crossingsPorts](m)
	y, x := m.WireVec("y_bits", 8, 1), io.X.Unpack(1)
	y.N(0).Set(cdc.TwoFlop(m, "own", io.To, x.N(0)))
	two := func(name string) twoPorts {
		in := hw.Inst(m, name, two{})
		in.From.Set(io.From)
		in.To.Set(io.To)
		return in
	}
	alone := two("alone")
	alone.X.Set(io.X.Slice(2, 1))
	y.N(1).Set(alone.Y.Bit(0))
	y.N(2).Set(alone.Y.Bit(1))
	m.For("pair", 2, func(i hw.Index) {
		in := two("inner")
		in.X.Set(hw.Cat(x.At(i.Times(2).Plus(4)), x.At(i.Times(2).Plus(3))))
		y.At(i.Times(2).Plus(3)).Set(in.Y.Bit(0))
		y.At(i.Times(2).Plus(4)).Set(in.Y.Bit(1))
	})
	m.For("last", 1, func(i hw.Index) { y.At(i.Plus(7)).Set(cdc.TwoFlop(m, "last", io.To, x.At(i.Plus(7)))) })
	io.Y.Set(y.Pack())
	return io
}

// two synchronises two bits.
type two struct{}

type twoPorts struct {
	From hw.Clock `hw:"in,name=from"`
	To   hw.Clock `hw:"in,name=to"`
	X    hw.Bits  `hw:"in,2,clock=From"`
	Y    hw.Bits  `hw:"out,2,clock=To"`
}

func (two) Build(m *hw.Module) twoPorts {
	io := hw.Ports[twoPorts](m)
	io.Y.Set(hw.Cat(cdc.TwoFlop(m, "b", io.To, io.X.Bit(1)), cdc.TwoFlop(m, "a", io.To, io.X.Bit(0))))
	return io
}

// TestLateCrossings: each bit of the port delays one synchroniser by one cycle.
func TestLateCrossings(t *testing.T) {
	d, err := hw.Elaborate(crossings{}, hw.LateCrossings())
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	again, err := ir.Parse("again", d.String())
	require.NoError(t, err)
	require.Equal(t, d.String(), again.String())
	delayed := map[uint64]int{}
	for k := range 8 {
		s, err := interp.New(d)
		require.NoError(t, err)
		sim.Find(s, late.Port).Set(1 << k)
		sim.Find(s, "to").Set(1)
		sim.Find(s, "x").Set(0xff)
		got := ""
		for range 4 {
			got += fmt.Sprintf("%02x ", sim.Find(s, "y").Get())
			require.NoError(t, s.Step())
		}
		for b := range 8 {
			if got == fmt.Sprintf("00 00 %02x ff ", 0xff&^(1<<b)) {
				delayed[1<<b]++
			}
		}
	}
	require.Len(t, delayed, 8)
}

// TestLate: Late hides the port, and the seed determines which crossings are late.
func TestLate(t *testing.T) {
	run := func(seed uint64) (out []uint64) {
		d, err := hw.Elaborate(crossings{}, hw.LateCrossings())
		require.NoError(t, err)
		engine, err := interp.New(d)
		require.NoError(t, err)
		s := sim.Late(engine, seed)
		require.Len(t, s.Ports(), len(engine.Ports())-1)
		tb := sim.Bind[crossingsPorts](s, crossings{})
		sim.Find(s, "to").Set(1)
		for i := range uint64(40) {
			tb.X.Poke(-(i / 2 & 1) & 0xff)
			out = append(out, tb.Y.Peek())
			require.NoError(t, s.Step())
		}
		return out
	}
	require.Equal(t, run(3), run(3))
	require.NotEqual(t, run(3), run(4))
	for _, y := range run(0) {
		require.Contains(t, []uint64{0, 0xff}, y)
	}
	d, err := hw.Elaborate(two{})
	require.NoError(t, err)
	s, err := interp.New(d)
	require.NoError(t, err)
	require.Equal(t, sim.Simulator(s), sim.Late(s, 1))
}
