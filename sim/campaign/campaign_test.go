package campaign_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/campaign"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// adder accumulates its input, also during reset.
type adder struct{}

func (adder) Build(m *hw.Module) struct{} {
	x, on := m.In("x", 8), m.In("on", 1)
	sum := m.Data("sum", 80)
	sum.Set(sum.Add(x.Ext(80)))
	m.Out("q", 80).Set(sum)
	reached := m.Reg("reached", 1, 0)
	reached.Set(on)
	m.Assert(reached.Not(), "reached")
	return struct{}{}
}

func design(t *testing.T) *ir.Design {
	d, err := hw.Elaborate(adder{})
	require.NoError(t, err)
	return d
}

// side presents separate simulators as a batch of instances.
type side []*interp.Sim

func (s side) Copies() int         { return len(s) }
func (s side) Copy(i int) sim.Copy { return s[i] }
func (s side) Cycle() uint64       { return s[0].Cycle() }

func (s side) Step() error {
	var failed sim.Failures
	for i, one := range s {
		if a := (*sim.AssertionError)(nil); errors.As(one.Step(), &a) {
			failed = append(failed, sim.Failure{Copy: i, AssertionError: *a})
		}
	}
	if failed == nil {
		return nil
	}
	return failed
}

// engines returns a function that makes engines of n instances.
func engines(t *testing.T, n int) func() sim.Copies {
	d := design(t)
	return func() sim.Copies {
		out := make(side, n)
		for i := range out {
			s, err := interp.New(d)
			if err != nil {
				panic(err)
			}
			out[i] = s
		}
		return out
	}
}

// player drives an input occasionally and records the output.
type player struct {
	c     sim.Copy
	rand  *rand.Rand
	heard *[]string
	fails int // the cycle in which it violates the assertion
}

func (p player) Drive(cycle int) {
	if p.rand.IntN(3) == 0 {
		p.c.Set(0, []uint64{p.rand.Uint64N(256)})
	}
	if cycle == p.fails-1 {
		p.c.Set(1, []uint64{1})
	}
}

func (p player) Check(int) error {
	var q [2]uint64
	p.c.Get(2, q[:])
	*p.heard = append(*p.heard, fmt.Sprint(q))
	return nil
}

// listen returns a test that records the outputs of each seed. Seeds in fails violate the
// assertion.
func listen(heard [][]string, fails map[uint64]int) campaign.Test {
	return campaign.Test{Cycles: 9, Begin: func(c sim.Copy, seed uint64) campaign.Player {
		return player{c, rand.New(rand.NewPCG(seed, 0)), &heard[seed], fails[seed]}
	}}
}

// TestSeedsAlone: the result of a seed does not depend on the seeds that the engine ran before.
func TestSeedsAlone(t *testing.T) {
	const seeds = 40
	want := make([][]string, seeds)
	for seed := range want {
		s, err := interp.New(design(t))
		require.NoError(t, err)
		require.NoError(t, campaign.Repeat(listen(want, nil), s, uint64(seed)))
	}
	used, err := interp.New(design(t))
	require.NoError(t, err)
	again := make([][]string, seeds)
	for seed := range again {
		require.NoError(t, campaign.Repeat(listen(again, nil), used, uint64(seed)))
	}
	require.Equal(t, want, again)
	for seed := range want {
		require.NotEqual(t, "[0 0]", want[seed][0], "seed %d begins with random state", seed)
	}
	for _, n := range []int{1, 3, 64} {
		got := make([][]string, seeds)
		require.NoError(t, campaign.Run(listen(got, nil), engines(t, n), 0, seeds))
		require.Equal(t, want, got, "%d copies", n)
	}
}

// TestAssertion: all engines, new or used, report a failed assertion identically.
func TestAssertion(t *testing.T) {
	fails := map[uint64]int{23: 4, 31: 2}
	test := listen(make([][]string, 40), fails)
	want := "seed 23, cycle 4: campaign_test.go:"
	for _, n := range []int{1, 3, 64} {
		err := campaign.Run(test, engines(t, n), 0, 40)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "assertion failed in cycle 4: reached")
	}
	s, err := interp.New(design(t))
	require.NoError(t, err)
	for range 2 {
		err := campaign.Repeat(test, s, 23)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "assertion failed in cycle 4: reached")
	}
}

// TestNoState: Repeat rejects an engine without writable state.
func TestNoState(t *testing.T) {
	s, err := interp.New(design(t))
	require.NoError(t, err)
	err = campaign.Repeat(listen(nil, nil), struct{ sim.Simulator }{s}, 1)
	require.EqualError(t, err, "campaign: the state of the engine cannot be set")
}
