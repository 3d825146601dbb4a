package formal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// claims is a module whose assertions hold, except the one whose text is Wrong.
type claims struct{ Wrong string }

// ModuleName returns the same name for all.
func (claims) ModuleName() string { return "claims" }

func (p claims) Build(m *hw.Module) struct{} {
	x := m.In("x", 2)
	sum, free, mem := m.Reg("sum", 4, 6), m.Data("free", 4), m.Mem("mem", 4, 2)
	known := hw.Width(2).ROM(m, "known", []hw.Bits{hw.K(2), hw.K(0), hw.K(2), hw.K(0)})
	written := m.Reg("written", 1, 0)
	sum.Set(sum.Add(x.Ext(4)))
	m.When(x.Eq(hw.K(2)), func() {
		mem.Write(hw.K(3), x)
		written.Set(hw.K(1))
	})
	assert := func(text string, right, wrong hw.Bits) {
		if p.Wrong == text {
			right = wrong
		}
		m.Assert(right, text)
	}
	m.Assume(x.Bit(0).Not(), "x is even")
	free.Set(free)
	assert("the sum stays even", sum.Bit(0).Not(), sum.Ne(hw.K(12)))
	assert("what is not reset may be anything", hw.K(1), free.Ne(hw.K(9)))
	assert("what is not written may be anything", written.Not().Or(mem.Read(hw.K(3)).Eq(hw.K(2))), mem.Read(hw.K(2)).Ne(hw.K(1)))
	assert("contents are known", known.Read(x).Eq(hw.K(2)), known.Read(x.Inc()).Ne(hw.K(0)))
	return struct{}{}
}

func elaborate[P any](t *testing.T, g hw.Generator[P]) *ir.Design {
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	return d
}

func TestOneClock(t *testing.T) {
	tools.Need(t, "yosys")
	formal.Holds(t, elaborate(t, claims{}))
	for text, step := range map[string]int{
		"the sum stays even": 4, "what is not reset may be anything": 1, "what is not written may be anything": 1, "contents are known": 1,
	} {
		d := elaborate(t, claims{text})
		formal.Fails(t, d, text)
		r, err := formal.Prove(d)
		require.NoError(t, err)
		require.Equal(t, step, r.Failure.Step, text)
		require.Regexp(t, `^formal_test/formal_test\.go:\d+`, r.Failure.Source)
	}
}

// TestTrace: the run of a failure is a possible run of the design.
func TestTrace(t *testing.T) {
	tools.Need(t, "yosys")
	r, err := formal.Prove(elaborate(t, claims{"the sum stays even"}))
	require.NoError(t, err)
	require.Len(t, r.Failure.Trace, r.Failure.Step+1)
	want := uint64(6)
	for _, at := range r.Failure.Trace[1:] {
		require.Equal(t, want, at["sum"].Uint64())
		want += at["x"].Uint64()
	}
	require.Regexp(t, `(?s)^"the sum stays even" at .* fails in step 4\n0: .*\n4: .* sum=c `, r.Failure.String())
}

// racing counts edges of two clocks.
type racing struct{ Behind int }

func (p racing) Build(m *hw.Module) struct{} {
	a, b := m.Clock("a", "a_rst"), m.Clock("b", "b_rst_n", hw.Low, hw.Async)
	var count, seen hw.Bits
	m.Clocked(a, func() {
		count = m.Reg("count", 3, 0)
		m.When(count.Ne(hw.K(7)), func() { count.Set(count.Inc()) })
	})
	m.Clocked(b, func() {
		seen = m.Crossing("seen", b, hw.CrossHeld, count)
		edges := m.Reg("edges", 3, 0)
		m.When(edges.Ne(hw.K(7)), func() { edges.Set(edges.Inc()) })
		m.Assert(edges.Ge(hw.K(p.Behind)).Or(seen.Lt(hw.K(5))), "clock a is not ahead")
		m.Assert(edges.Any().Or(seen.IsZero()), "resets act together")
	})
	return struct{}{}
}

func TestTwoClocks(t *testing.T) {
	formal.Holds(t, elaborate(t, racing{0}))
	formal.Holds(t, elaborate(t, racing{1}))
	formal.Fails(t, elaborate(t, racing{2}), "clock a is not ahead")
}

// trial is a testing.TB whose failure is a panic.
type trial struct{ testing.TB }

func (trial) Helper()               {}
func (trial) Logf(string, ...any)   {}
func (trial) Fatalf(string, ...any) { panic("it fails") }

func TestHelpersFail(t *testing.T) {
	tools.Need(t, "yosys")
	right, wrong := elaborate(t, claims{}), elaborate(t, claims{"the sum stays even"})
	for _, check := range []func(testing.TB){
		func(t testing.TB) { formal.Holds(t, wrong) },
		func(t testing.TB) { formal.Fails(t, right, "the sum stays even") },
		func(t testing.TB) { formal.Fails(t, wrong, "x is even") },
	} {
		require.PanicsWithValue(t, "it fails", func() { check(trial{t}) })
	}
}
