package eal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	trial "github.com/hotline-rtl/hotline/sim/bench"
)

func TestRemovedResetsAreNoticed(t *testing.T) {
	p := tiny()
	d, err := hw.Elaborate(Of(p))
	require.NoError(t, err)
	require.Equal(t, []string{
		// Any initial state of an arbiter is fair. An unknown initial state is visible in
		// simulation with four states only.
		"xbar.above_group", "xbar.above", "eal_answers.above",
	}, trial.Unreset(d, 16, func(seed uint64) error { return compare(trial.Trial{TB: t}, d, p, 100, int64(seed)) }))
}
