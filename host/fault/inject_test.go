package fault_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/accel"
	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/fault"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// fences runs so many commands, one after the other, under a plan.
func fences(t *testing.T, n int, p *fault.Plan) (*driver.Driver, *fault.Injection) {
	s, err := server.New(server.DefaultConfig())
	require.NoError(t, err)
	card, err := accel.New(s.Kernel, arch.Small(), s.Config.Period, s.Config.Endpoint)
	require.NoError(t, err)
	dev, err := s.Insert(card)
	require.NoError(t, err)
	x := fault.Inject(s, card.Endpoint(), p)
	drv, err := driver.Open(dev, driver.DefaultOptions())
	require.NoError(t, err)
	drv.OnRecovery(x.Recovered)
	for range n {
		_, err := drv.Do(driver.Fence())
		require.NoError(t, err)
	}
	return drv, x
}

func plan(rules ...fault.Rule) *fault.Plan { return &fault.Plan{Seed: 1, Rules: rules} }

// TestWhenFaultsHappen: from the nth on, as often as said, the first rule first.
func TestWhenFaultsHappen(t *testing.T) {
	_, x := fences(t, 12, plan(
		fault.Rule{Kind: fault.Drop, Place: fault.Interrupt, Nth: 3, Probability: 1, Times: 2},
		fault.Rule{Kind: fault.Duplicate, Place: fault.Interrupt, Nth: 4, Probability: 1, Times: 2},
	))
	var got []fault.Event
	for _, e := range x.Log() {
		require.Positive(t, e.At)
		require.Contains(t, e.TLP, "MWr")
		e.At, e.TLP = 0, ""
		got = append(got, e)
	}
	require.Equal(t, []fault.Event{
		{Kind: fault.Drop, Place: fault.Interrupt, N: 3, Outcome: "found by polling"},
		{Kind: fault.Drop, Place: fault.Interrupt, N: 4, Outcome: "found by polling"},
		{Kind: fault.Duplicate, Place: fault.Interrupt, N: 5, Outcome: fault.Harmless},
		{Kind: fault.Duplicate, Place: fault.Interrupt, N: 6, Outcome: fault.Harmless},
	}, got)
	require.Equal(t, []string{"2 drop at interrupt: found by polling", "2 duplicate at interrupt: harmless"}, fault.Summary(x.Log()))
}

// TestRandomFaultsAreRepeatable: the same for a seed, others for another.
func TestRandomFaultsAreRepeatable(t *testing.T) {
	by := func(seed uint64) []fault.Event {
		p := plan(fault.Rule{Kind: fault.Duplicate, Place: fault.Completion, Nth: 1, Probability: 0.3})
		p.Seed = seed
		_, x := fences(t, 60, p)
		return x.Log()
	}
	require.Equal(t, by(1), by(1))
	require.NotEqual(t, by(1), by(2))
	require.InDelta(t, 18, len(by(1)), 12)
}

// TestSequenceOfRecoveries: all that was done about a fault until the next.
func TestSequenceOfRecoveries(t *testing.T) {
	drv, x := fences(t, 6, plan(
		fault.Rule{Kind: fault.Corrupt, Place: fault.Completion, Nth: 2, Probability: 1, Times: 1},
		fault.Rule{Kind: fault.UR, Place: fault.Command, Nth: 5, Probability: 1, Times: 1},
	))
	require.Equal(t, "completion given up, command repeated", x.Log()[0].Outcome)
	require.Equal(t, "command repeated", x.Log()[1].Outcome)
	require.Equal(t, driver.Survived{Repeated: 2, LostCompletions: 1}, drv.Survived())
}
