package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// counters counts the edges of two clocks.
type counters struct{}

func (counters) Build(m *hw.Module) struct{} {
	for _, name := range []string{"a", "b"} {
		m.Clocked(m.Clock("clk_"+name, ""), func() {
			n := m.Data("n_"+name, 8)
			n.Set(n.Add(hw.K(1)))
			m.Out(name, 8).Set(n)
		})
	}
	return struct{}{}
}

func TestSchedule(t *testing.T) {
	d, err := hw.Elaborate(counters{})
	require.NoError(t, err)
	s, err := interp.New(d)
	require.NoError(t, err)
	x, err := sim.NewSchedule(s, sim.Beat{Clock: "clk_a", Period: 3}, sim.Beat{Clock: "clk_b", Period: 4, Phase: 2})
	require.NoError(t, err)
	a, b := sim.Find(s, "a"), sim.Find(s, "b")
	for _, want := range [][3]uint64{{0, 0, 0}, {2, 1, 0}, {3, 1, 1}, {6, 2, 1}, {9, 3, 2}, {10, 4, 2}, {12, 4, 3}} {
		require.Equal(t, want, [3]uint64{x.Time(), a.Get(), b.Get()})
		require.Equal(t, want[0]%3 == 0, x.Edge(0))
		require.NoError(t, x.Step())
	}
	for _, bad := range []struct {
		beat sim.Beat
		want string
	}{
		{sim.Beat{Clock: "clk_a"}, "sim: clock clk_a has the period 0; expected at least 1"},
		{sim.Beat{Clock: "a", Period: 1}, "sim: no clock a: expected an input of one bit"},
	} {
		_, err := sim.NewSchedule(s, bad.beat)
		require.EqualError(t, err, bad.want)
	}
	_, err = sim.NewSchedule(s)
	require.EqualError(t, err, "sim: a schedule without clocks")
}
