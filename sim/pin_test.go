package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
)

// echo copies its input to its output.
type echo struct{ Width int }

func (p echo) Build(m *hw.Module) struct{ X, Y hw.Bits } {
	x, y := m.In("x", p.Width), m.Out("y", p.Width)
	y.Set(x)
	return struct{ X, Y hw.Bits }{x, y}
}

func TestPinTakesWhatFits(t *testing.T) {
	for _, width := range []int{2, 64, 70, 128} {
		_, s := engine(t, echo{width})
		x, y := sim.Find(s, "x"), sim.Find(s, "y")
		top := ^uint64(0) >> (128 - width)
		if width <= 64 {
			top = ^uint64(0) >> (64 - width)
			x.SetWords([]uint64{top})
		} else {
			x.SetWords([]uint64{5, top})
		}
		require.Equal(t, top, y.Words()[len(y.Words())-1])
		x.Set(3)
		require.EqualValues(t, 3, y.Get())
		require.True(t, y.Bool())
		x.SetBool(false)
		require.False(t, y.Bool())
		require.Zero(t, y.Words()[len(y.Words())-1])
	}
}

func TestPinRefusesWhatDoesNotFit(t *testing.T) {
	_, s := engine(t, echo{2})
	x := sim.Find(s, "x")
	require.PanicsWithValue(t, "sim: 0x9 does not fit in port x of 2 bits", func() { x.Set(9) })
	require.PanicsWithValue(t, "sim: [0x4] does not fit in port x of 2 bits", func() { x.SetWords([]uint64{4}) })
	require.PanicsWithValue(t, "sim: [0x1 0x0] does not fit in port x of 2 bits", func() { x.SetWords([]uint64{1, 0}) })
	_, s = engine(t, echo{70})
	require.PanicsWithValue(t, "sim: [0x0 0x40] does not fit in port x of 70 bits", func() { sim.Find(s, "x").SetWords([]uint64{0, 64}) })
	require.PanicsWithValue(t, "sim: no port z", func() { sim.Find(s, "z") })
}
