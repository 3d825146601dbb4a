package interp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// TestInstanceReset: a condition resets an instance and the instances inside it, except registers
// without reset and memories. Conditions along the hierarchy are ORed.
func TestInstanceReset(t *testing.T) {
	type cell struct{ count, kept, flag, last, free uint64 }
	after := func(free uint64) cell { return cell{3, 5, 1, 1, free} }
	s := elaborate(t, simtest.Resets{Lanes: 2})
	for cycle, c := range []struct {
		rst                               bool
		whole, half, each                 uint64
		plain, both1, both2, lane0, lane1 cell
	}{
		{rst: true, plain: after(1), both1: after(1), both2: after(1), lane0: after(1), lane1: after(1)},
		{plain: cell{4, 8, 0, 1, 2}, both1: cell{4, 8, 0, 1, 2}, both2: cell{4, 8, 0, 1, 2}, lane0: cell{4, 8, 0, 1, 2}, lane1: cell{4, 8, 0, 1, 2}},
		{whole: 1, plain: cell{5, 8, 1, 0, 3}, both1: after(3), both2: after(3), lane0: cell{5, 8, 1, 0, 3}, lane1: cell{5, 8, 1, 0, 3}},
		{half: 1, each: 2, plain: cell{6, 8, 0, 1, 4}, both1: cell{4, 8, 0, 1, 4}, both2: after(4), lane0: cell{6, 8, 0, 1, 4}, lane1: after(4)},
		{plain: cell{7, 14, 1, 0, 5}, both1: cell{5, 8, 1, 0, 5}, both2: cell{4, 8, 0, 1, 5}, lane0: cell{7, 14, 1, 0, 5}, lane1: cell{4, 8, 0, 1, 5}},
		{half: 1, each: 1, plain: cell{8, 21, 0, 1, 6}, both1: cell{6, 8, 0, 1, 6}, both2: after(6), lane0: after(6), lane1: cell{5, 8, 1, 0, 6}},
	} {
		s.SetReset(c.rst)
		sim.Find(s, "whole").Set(c.whole)
		sim.Find(s, "half").Set(c.half)
		sim.Find(s, "each").Set(c.each)
		step(t, s)
		peek := func(path string) uint64 {
			x, ok := s.Peek(path)
			require.True(t, ok, path)
			return x[0]
		}
		for path, want := range map[string]cell{"plain": c.plain, "both.one": c.both1, "both.two": c.both2, "lane[0].counter": c.lane0, "lane[1].counter": c.lane1} {
			got := cell{peek(path + ".count_q"), peek(path + ".kept_q"), peek(path + ".flags_q[0]"), peek(path + ".flags_q[1]"), peek(path + ".free_q")}
			require.Equal(t, want, got, "%s after cycle %d", path, cycle)
			word, ok := s.PeekMem(path+".mem", 0)
			require.True(t, ok)
			require.Equal(t, map[bool]uint64{true: 4}[cycle >= 4], word[0])
		}
	}
}

// waiting holds a value until it takes another value; its reset depends on its output.
type waiting struct{}

type waitingPorts struct{ Take, X, Q hw.Bits }

func (waiting) Build(m *hw.Module) waitingPorts {
	io := waitingPorts{m.In("take", 1), m.In("x", 4), m.Out("q", 4)}
	q := m.Reg("r", 4, 5)
	m.When(io.Take, func() { q.Set(io.X) })
	m.Assert(q.Ne(hw.K(8)).Or(io.Take), "8 is left at once")
	io.Q.Set(q)
	return io
}

// limited resets the instance when its output reaches Limit.
type limited struct{}

func (limited) Build(m *hw.Module) struct{ Take, X, Limit, Q hw.Bits } {
	io := struct{ Take, X, Limit, Q hw.Bits }{m.In("take", 1), m.In("x", 4), m.In("limit", 4), m.Out("q", 4)}
	over := m.Wire("over", 1)
	in := hw.InstReset(m, "in", waiting{}, over)
	in.Take.Set(io.Take)
	in.X.Set(io.X)
	over.Set(in.Q.Ge(io.Limit))
	io.Q.Set(in.Q)
	return io
}

func TestInstanceResetsItself(t *testing.T) {
	s := elaborate(t, limited{})
	take, x, limit, q := sim.Find(s, "take"), sim.Find(s, "x"), sim.Find(s, "limit"), sim.Find(s, "q")
	limit.Set(9)
	require.True(t, s.Quiet())
	take.Set(1)
	x.Set(12)
	require.False(t, s.Quiet())
	step(t, s)
	require.Equal(t, uint64(12), q.Get())
	step(t, s)
	require.Equal(t, uint64(5), q.Get(), "the condition is that before the edge")
	step(t, s)
	require.Equal(t, uint64(12), q.Get())
	limit.Set(3)
	step(t, s)
	require.Equal(t, uint64(5), q.Get())
	require.True(t, s.Quiet(), "it stays in reset, whatever it would take")
	step(t, s)
	require.Equal(t, uint64(5), q.Get())
	limit.Set(15)
	require.False(t, s.Quiet(), "it takes what did not change")
	x.Set(8)
	step(t, s)
	take.Set(0)
	require.False(t, s.Quiet(), "the assertion fails")
	require.ErrorContains(t, s.Step(), "in: assertion failed")
	limit.Set(8)
	require.False(t, s.Quiet())
	require.NoError(t, s.Step(), "it is not checked in reset")
	require.Equal(t, uint64(5), q.Get())
}
