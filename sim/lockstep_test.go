package sim_test

import (
	"errors"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// sums accumulates its input. Mistake selects a fault: above 1000 the sum subtracts, or the hidden
// register counts differently.
type sums struct{ Mistake string }

type sumPorts struct{ Valid, X, Sum, Odd hw.Bits }

func (p sums) Build(m *hw.Module) sumPorts {
	io := sumPorts{Valid: m.In("valid", 1), X: m.In("x", 8), Sum: m.Out("sum", 80), Odd: m.Out("odd", 1)}
	sum, count := m.Reg("sum_q", 80, 0), m.Reg("count", 8, 0)
	next := sum.Add(io.X.Ext(80))
	if p.Mistake == "sum" {
		next = hw.Mux(sum.Gt(hw.K(1000)), sum.Sub(io.X.Ext(80)), next)
	}
	m.When(io.Valid, func() {
		sum.Set(next)
		count.Set(count.Inc())
		if p.Mistake == "count" {
			m.When(count.Eq(hw.K(20)), func() { count.Set(hw.K(22)) })
		}
	})
	io.Sum.Set(sum)
	io.Odd.Set(count.Eq(hw.K(255)))
	return io
}

func engine[P any](t testing.TB, g hw.Generator[P]) (*ir.Design, sim.Simulator) {
	t.Helper()
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	s, err := interp.New(d)
	require.NoError(t, err)
	return d, s
}

func lockstep(t *testing.T, mistake string) *sim.Lockstep {
	d, a := engine(t, sums{})
	_, b := engine(t, sums{mistake})
	l, err := sim.NewLockstep(d, sim.Engine{Name: "good", Simulator: a}, sim.Engine{Name: "bad", Simulator: b})
	require.NoError(t, err)
	return l
}

// lines replaces the line numbers of this file, which change with every edit.
func lines(err error) string {
	return regexp.MustCompile(`_test\.go:\d+`).ReplaceAllString(err.Error(), "_test.go:N")
}

func drive(t *testing.T, s sim.Simulator) error {
	return sim.Drive(s, sim.Random(sim.NewFormat(s.Ports()), 3), 2000)
}

func TestLockstepAgrees(t *testing.T) {
	l := lockstep(t, "")
	require.NoError(t, drive(t, l))
	require.Equal(t, uint64(2000), l.Cycle())
}

func TestLockstepPort(t *testing.T) {
	l := lockstep(t, "sum")
	err := drive(t, l)
	var d *sim.Divergence
	require.ErrorAs(t, err, &d)
	require.Equal(t, `cycle 258: output sum (lockstep_test.go:N < lockstep_test.go:N): good has 4bd, bad has 49f
cycle    |251 252 253 254 255 256 257 258
rst      |_______________________________
valid    |-------------------------------
x        |fe |ff |0  |1  |a1 |dd |f  |8
sum good |132|230|32f    |330|3d1|4ae|4bd
sum bad  |132|230|32f    |330|3d1|4ae|49f
`, lines(err))
	require.Same(t, err, l.Step(), "a diverged lock-step stays so")
}

func TestLockstepState(t *testing.T) {
	err := drive(t, lockstep(t, "count"))
	require.ErrorContains(t, err, ": state count (lockstep_test.go:")
	require.ErrorContains(t, err, ": good has 15, bad has 16\n")
}

func TestLockstepPorts(t *testing.T) {
	d, a := engine(t, sums{})
	_, b := engine(t, simtest.FIFO{Width: 8, Depth: 4})
	_, err := sim.NewLockstep(d, sim.Engine{Name: "a", Simulator: a}, sim.Engine{Name: "b", Simulator: b})
	require.EqualError(t, err, "sim: port 0 of a is input valid 1, of b is input push_valid 1")
	_, err = sim.NewLockstep(d, sim.Engine{Name: "a", Simulator: a}, sim.Engine{Name: "b", Simulator: fewer{a}})
	require.EqualError(t, err, "sim: a has 4 ports, b has 3")
}

type fewer struct{ sim.Simulator }

func (f fewer) Ports() []sim.Port { return f.Simulator.Ports()[:3] }

func TestLockstepMemories(t *testing.T) {
	d, a := engine(t, simtest.Memory{Depth: 4, Width: 8})
	_, b := engine(t, simtest.Memory{Depth: 4, Width: 8})
	l, err := sim.NewLockstep(d, sim.Engine{Name: "a", Simulator: a}, sim.Engine{Name: "b", Simulator: b})
	require.NoError(t, err)
	require.NoError(t, l.Step())
	require.NoError(t, l.CompareMemories())
	require.True(t, b.(*interp.Sim).PokeMem("mem", 2, []uint64{5}))
	require.ErrorContains(t, l.CompareMemories(), "cycle 1: state mem[2] (simtest/parts.go:")
}

// TestVerify: a Verification in blocks reports the same divergence as Lockstep.
func TestVerify(t *testing.T) {
	d, a := engine(t, sums{})
	_, b := engine(t, sums{"sum"})
	var done []uint64
	v := sim.Verification{Design: d, A: sim.NamedBatch{Name: "good", Batch: sim.NewBlocks(a)}, B: sim.NamedBatch{Name: "bad", Batch: sim.NewBlocks(b)},
		Stimulus: sim.Random(sim.NewFormat(a.Ports()), 3), Cycles: 2000, Progress: func(n uint64) { done = append(done, n) }}
	r, err := v.Run()
	require.NoError(t, err)
	require.Equal(t, lines(drive(t, lockstep(t, "sum"))), lines(r.First))
	require.Equal(t, []uint64{1024}, done)
	require.Regexp(t, `^1024 cycles, 2 outputs, \d+ differences$`, r.String())
}

func TestVerifyAgrees(t *testing.T) {
	d, a := engine(t, sums{})
	_, b := engine(t, sums{})
	v := sim.Verification{Design: d, A: sim.NamedBatch{Name: "a", Batch: sim.NewBlocks(a)}, B: sim.NamedBatch{Name: "b", Batch: sim.NewBlocks(b)},
		Stimulus: sim.Random(sim.NewFormat(a.Ports()), 3), Cycles: 2500}
	r, err := v.Run()
	require.NoError(t, err)
	require.Equal(t, sim.Report{Cycles: 2500, Ports: 2}, r)
}

// grumpy fails an assertion while bad is 1.
type grumpy struct{}

func (grumpy) Build(m *hw.Module) struct{ Bad, Q hw.Bits } {
	io := struct{ Bad, Q hw.Bits }{m.In("bad", 1), m.Out("q", 1)}
	m.Assert(io.Bad.Not(), "nothing bad happens")
	io.Q.Set(io.Bad)
	return io
}

func TestVerifyAssertions(t *testing.T) {
	d, a := engine(t, grumpy{})
	_, b := engine(t, grumpy{})
	v := sim.Verification{Design: d, A: sim.NamedBatch{Name: "a", Batch: sim.NewBlocks(a)}, B: sim.NamedBatch{Name: "b", Batch: sim.NewBlocks(b)},
		Stimulus: sim.Random(sim.NewFormat(a.Ports()), 1), Cycles: 100}
	r, err := v.Run()
	require.NoError(t, err)
	require.Nil(t, r.First)
	require.Positive(t, r.Assertions)
	require.ErrorContains(t, r.Assertion, "nothing bad happens")
}

type broken struct{ sim.Batch }

func (broken) RunBlock(in, out []uint64) error { return errors.New("the pipe broke") }

func TestVerifyEngineError(t *testing.T) {
	d, a := engine(t, sums{})
	_, b := engine(t, sums{})
	v := sim.Verification{Design: d, A: sim.NamedBatch{Name: "a", Batch: sim.NewBlocks(a)}, B: sim.NamedBatch{Name: "b", Batch: broken{sim.NewBlocks(b)}},
		Stimulus: sim.Random(sim.NewFormat(a.Ports()), 1), Cycles: 100}
	_, err := v.Run()
	require.EqualError(t, err, "b: the pipe broke")
}

// foggy marks bit 5 of one output word as unknown.
type foggy struct {
	sim.Batch
	outWords int
	unknown  []uint64
}

func (f *foggy) RunBlock(in, out []uint64) error {
	f.unknown = make([]uint64, len(out))
	f.unknown[4*f.outWords] = 1 << 5
	return f.Batch.RunBlock(in, out)
}

func (f *foggy) Unknown() []uint64 { return f.unknown }

func TestVerifyUnknown(t *testing.T) {
	d, a := engine(t, sums{})
	_, b := engine(t, sums{})
	v := sim.Verification{Design: d, A: sim.NamedBatch{Name: "a", Batch: sim.NewBlocks(a)},
		B:        sim.NamedBatch{Name: "b", Batch: &foggy{Batch: sim.NewBlocks(b), outWords: 3}},
		Stimulus: sim.Random(sim.NewFormat(a.Ports()), 3), Cycles: 100}
	r, err := v.Run()
	require.NoError(t, err)
	require.Equal(t, uint64(1), r.Differences)
	require.Regexp(t, `^cycle 4: output sum .*: a has 0, b has x0\n`, r.First.Error())
}
