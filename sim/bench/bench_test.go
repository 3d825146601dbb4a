package bench_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim/bench"
)

type ports struct{ Push, Pop hw.Stream[hw.Bits] }

// part is a stream register, correct or with a fault.
type part struct{ Fault string }

func (p part) Build(m *hw.Module) ports {
	io := ports{m.Sink("push", 8), m.Source("pop", 8)}
	valid, data := m.Reg("valid", 1, 0), m.Data("data", 8)
	ready, offer, word := valid.Not().Or(io.Pop.Ready), valid, data
	m.When(io.Push.Ready, func() { valid.Set(io.Push.Valid) })
	m.When(io.Push.Fire(), func() { data.Set(io.Push.Data) })
	stalled := valid.And(io.Pop.Ready.Not())
	switch p.Fault {
	case "waits":
		offer = valid.And(io.Pop.Ready)
	case "looks":
		word = hw.Mux(io.Pop.Ready, data, hw.K(0))
	case "changes":
		m.When(stalled, func() { data.Set(data.Inc()) })
	case "retracts":
		m.When(stalled, func() { valid.Set(hw.K(0)) })
	case "stops":
		ready = hw.K(0)
	case "asserts":
		m.Assert(stalled.Not(), "never stalled")
	}
	io.Push.Ready.Set(ready)
	io.Pop.Valid.Set(offer)
	io.Pop.Data.Set(word)
	return io
}

// run sends 100 items through p and returns the sent and the received items.
func run(t *testing.T, p part, seed uint64) (sent, got []bench.Item, err error) {
	d, err := hw.Elaborate(p)
	require.NoError(t, err)
	b, err := bench.New(d, seed)
	require.NoError(t, err)
	push, pop := b.Push("push"), b.Pop("pop")
	push.Rate, pop.Rate = 0.7, 0.5
	for range 100 {
		sent = append(sent, push.Random())
		push.Send(0, sent[len(sent)-1])
	}
	err = b.Drain(100, 1000)
	return sent, pop.Got[0], err
}

func TestRules(t *testing.T) {
	sent, got, err := run(t, part{}, 1)
	require.NoError(t, err)
	require.Equal(t, sent, got)
	for fault, want := range map[string]string{
		"waits":    "when ready changed",
		"looks":    "when ready changed",
		"changes":  "was not taken but became",
		"retracts": "was not taken but became []",
		"stops":    "after 1000 cycles 0 of 100 items have arrived and 100 have not been taken",
		"asserts":  "never stalled",
	} {
		_, _, err := run(t, part{fault}, 1)
		require.ErrorContains(t, err, want, fault)
	}
}

func TestSameSeedSameTraffic(t *testing.T) {
	first, _, _ := run(t, part{}, 5)
	second, _, _ := run(t, part{}, 5)
	other, _, _ := run(t, part{}, 6)
	require.Equal(t, first, second)
	require.NotEqual(t, first, other)
}

func TestSurvivorsLeavesTheDesignAsItWas(t *testing.T) {
	d, err := hw.Elaborate(part{})
	require.NoError(t, err)
	calls := 0
	survivors, tried := bench.Survivors(d, func() error { calls++; return nil })
	require.Equal(t, tried, calls)
	require.Len(t, survivors, tried, "a check that never objects")
	again, _ := bench.Survivors(d, func() error { return nil })
	require.Equal(t, survivors, again)

	some, tried := bench.SurvivorsOfEvery(3, d, func() error { return nil })
	require.Len(t, some, tried)
	require.Subset(t, survivors, some)
	require.InDelta(t, len(survivors)/3, tried, 1)
}

func TestUnresetOfEvery(t *testing.T) {
	d, err := hw.Elaborate(part{})
	require.NoError(t, err)
	never := func(uint64) error { return nil }
	all := bench.Unreset(d, 1, never)
	require.NotEmpty(t, all)
	var want []string
	for i := 0; i < len(all); i += 2 {
		want = append(want, all[i])
	}
	require.Equal(t, want, bench.UnresetOfEvery(2, d, 1, never))
	require.Equal(t, all, bench.Unreset(d, 1, never), "the resets are back")
}
