package interp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/simtest"
	"github.com/hotline-rtl/hotline/sim/wave"
)

func elaborate[P any](t testing.TB, g hw.Generator[P], opts ...interp.Option) *interp.Sim {
	t.Helper()
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	s, err := interp.New(d, opts...)
	require.NoError(t, err)
	return s
}

func step(t *testing.T, s sim.Simulator) {
	t.Helper()
	require.NoError(t, s.Step())
}

func TestFIFO(t *testing.T) {
	s := elaborate(t, simtest.FIFO{Width: 8, Depth: 4})
	valid, data, ready := sim.Find(s, "push_valid"), sim.Find(s, "push_data"), sim.Find(s, "pop_ready")
	level := sim.Find(s, "level")
	for i := range 6 {
		valid.Set(1)
		data.Set(uint64(10 + i))
		require.Equal(t, uint64(min(i, 4)), level.Get())
		require.Equal(t, i < 4, sim.Find(s, "push_ready").Bool())
		step(t, s)
	}
	valid.Set(0)
	ready.Set(1)
	for i := range 4 {
		require.Equal(t, uint64(10+i), sim.Find(s, "pop_data").Get())
		require.False(t, s.Quiet())
		step(t, s)
	}
	require.False(t, sim.Find(s, "pop_valid").Bool())
	step(t, s)
	require.Zero(t, s.Pending(), "registers and memories of an idle design are left alone")
	require.True(t, s.Quiet())
	before := s.Evaluated()
	for range 99 {
		step(t, s)
	}
	require.Equal(t, before, s.Evaluated(), "an idle design evaluates nothing")
	require.Equal(t, uint64(110), s.Cycle())
}

// rotate moves values around a ring of registers: each register loads the current value of another
// register.
type rotate struct{}

func (rotate) Build(m *hw.Module) struct{ Hold, Q, Wide hw.Bits } {
	io := struct{ Hold, Q, Wide hw.Bits }{m.In("hold", 1), m.Out("q", 24), m.Out("wide", 130)}
	a, b, c := m.Reg("a", 8, 1), m.Reg("b", 8, 2), m.Data("c", 8)
	x, y := m.Reg("x", 130, 5), m.Data("y", 130)
	a.Set(b)
	b.Set(c)
	c.Set(a)
	x.Set(y)
	y.Set(x)
	m.When(io.Hold, func() { c.Set(c); b.Set(b); a.Set(a) })
	io.Q.Set(hw.Cat(a, b, c))
	io.Wide.Set(x)
	return io
}

func TestRegisters(t *testing.T) {
	s := elaborate(t, rotate{})
	q, wide, hold := sim.Find(s, "q"), sim.Find(s, "wide"), sim.Find(s, "hold")
	require.Zero(t, q.Get(), "state starts at zero")
	require.True(t, s.Quiet())
	s.SetReset(true)
	require.False(t, s.Quiet(), "the reset would change registers")
	hold.Set(1)
	step(t, s)
	require.Equal(t, uint64(0x010200), q.Get(), "registers without reset keep working")
	require.Equal(t, []uint64{5, 0, 0}, wide.Words())
	hold.Set(0)
	step(t, s)
	require.Equal(t, uint64(0x010201), q.Get(), "c takes a during reset")
	s.SetReset(false)
	for _, want := range []uint64{0x020101, 0x010102, 0x010201} {
		step(t, s)
		require.Equal(t, want, q.Get())
	}
	hold.Set(1)
	step(t, s)
	require.Equal(t, uint64(0x010201), q.Get())
}

func TestMemory(t *testing.T) {
	for _, width := range []int{16, 100} {
		s := elaborate(t, simtest.Memory{Depth: 5, Width: width})
		set := func(name string, v uint64) { sim.Find(s, name).Set(v) }
		now, later := sim.Find(s, "now"), sim.Find(s, "later")
		set("write_a", 1)
		set("addr_a", 3)
		set("data_a", 7)
		set("read_addr", 3)
		require.Zero(t, now.Get(), "a read in the cycle of the write gives the old word")
		step(t, s)
		require.Equal(t, uint64(7), now.Get())
		require.Zero(t, later.Get(), "the synchronous read saw the old word too")
		step(t, s)
		require.Equal(t, uint64(7), later.Get())

		set("write_b", 1)
		set("addr_b", 3)
		set("data_b", 9)
		step(t, s)
		require.Equal(t, uint64(9), now.Get(), "the later port wins")
		set("write_b", 0)
		step(t, s)
		require.Equal(t, uint64(7), now.Get(), "the other port still writes")
		require.False(t, s.Quiet(), "the synchronous read port follows")
		step(t, s)
		require.True(t, s.Quiet(), "writing the same word again changes nothing")

		require.True(t, s.PokeMem("mem", 3, []uint64{1, 2}))
		require.False(t, s.Quiet(), "the write restores the word")
		require.Equal(t, uint64(1), now.Get())
		step(t, s)
		require.Equal(t, uint64(7), now.Get())

		set("addr_a", 6)
		set("read_addr", 6)
		step(t, s)
		require.Zero(t, now.Get(), "beyond the depth there is nothing")
		word, ok := s.PeekMem("mem", 3)
		require.True(t, ok)
		require.Equal(t, uint64(7), word[0])
		_, ok = s.PeekMem("mem", 5)
		require.False(t, ok)
		_, ok = s.PeekMem("later_q", 0)
		require.False(t, ok)
	}
}

type asserting struct{}

func (asserting) Build(m *hw.Module) struct{ On, X hw.Bits } {
	io := struct{ On, X hw.Bits }{m.In("on", 1), m.In("x", 4)}
	m.For("lane", 2, func(i hw.Index) {
		m.When(io.On, func() { m.Assert(io.X.Ne(i.Bits(4)), "x differs from the lane") })
	})
	return io
}

func TestAssertions(t *testing.T) {
	s := elaborate(t, asserting{})
	on, x := sim.Find(s, "on"), sim.Find(s, "x")
	step(t, s)
	on.Set(1)
	s.SetReset(true)
	step(t, s)
	s.SetReset(false)
	require.False(t, s.Quiet(), "a step would report a failure")
	for cycle := range uint64(2) {
		var failed *sim.AssertionError
		require.ErrorAs(t, s.Step(), &failed, "it fails as long as it does not hold")
		require.Equal(t, cycle+2, failed.Cycle)
		require.Equal(t, "lane[0]", failed.Path)
	}
	x.Set(1)
	err := s.Step()
	require.ErrorContains(t, err, "interp_test.go:")
	require.ErrorContains(t, err, "lane[1]: assertion failed in cycle 4: x differs from the lane")
	x.Set(2)
	step(t, s)
	require.Equal(t, uint64(6), s.Cycle())
}

func TestState(t *testing.T) {
	s := elaborate(t, simtest.FIFOArray{Lanes: 2, Width: 8, Depth: 4})
	paths := map[string]sim.State{}
	for _, st := range s.State() {
		paths[st.Path] = st
	}
	require.Len(t, paths, 8)
	require.Equal(t, 3, paths["lane[1].fifo.count"].Width)
	require.Equal(t, 4, paths["lane[0].fifo.mem"].Depth)
	sim.Find(s, "push_valid").Set(2)
	step(t, s)
	count, ok := s.Peek("lane[1].fifo.count")
	require.True(t, ok)
	require.Equal(t, []uint64{1}, count)
	_, ok = s.Peek("lane[2].fifo.count")
	require.False(t, ok)
}

func TestAllSignals(t *testing.T) {
	s := elaborate(t, simtest.FIFOArray{Lanes: 2, Width: 8, Depth: 4}, interp.AllSignals())
	sim.Find(s, "push_valid").Set(2)
	sim.Find(s, "push_data").Set(0x4200)
	for path, want := range map[string]uint64{"lane[1].fifo.do_push": 1, "lane[0].fifo.do_push": 0, "push_data[1]": 0x42, "lane[1].fifo.count": 0} {
		got, ok := s.Peek(path)
		require.True(t, ok, path)
		require.Equal(t, []uint64{want}, got, path)
	}
	_, ok := elaborate(t, simtest.FIFOArray{Lanes: 2, Width: 8, Depth: 4}).Peek("lane[1].fifo.do_push")
	require.False(t, ok)
}

func TestBadDesign(t *testing.T) {
	m := &ir.Module{Name: "m"}
	m.Body = &ir.Scope{Module: m}
	o := &ir.Signal{Name: "o", Kind: ir.Output, Type: ir.Type{Width: 1}, Scope: m.Body}
	m.Ports, m.Body.Signals = []*ir.Signal{o}, []*ir.Signal{o}
	_, err := interp.New(&ir.Design{Top: m, Modules: []*ir.Module{m}})
	require.ErrorContains(t, err, `m: [driver] output "o" has no driver`)
}

// TestTwoRecorders: a second recorder is refused; it would replace the first without a word.
func TestTwoRecorders(t *testing.T) {
	d, err := hw.Elaborate(simtest.FIFO{Width: 8, Depth: 4})
	require.NoError(t, err)
	_, err = interp.New(d, interp.Record(wave.NewTail(4)), interp.Record(wave.NewTail(4)))
	require.EqualError(t, err, "interp: 2 recorders; expected at most one")
}
