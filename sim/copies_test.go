package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/sim"
)

// TestFailures: failures of a model without source positions print no positions.
func TestFailures(t *testing.T) {
	broken := &sim.AssertionError{Path: "lane[1]", Text: "never"}
	for _, c := range []struct {
		failed uint64
		want   string
	}{
		{0b100, "copy 2: lane[1]: assertion failed in cycle 9: never"},
		{0b101, "copy 0: lane[1]: assertion failed in cycle 9: never (and another copy)"},
		{0b111, "copy 0: lane[1]: assertion failed in cycle 9: never (and 2 other copies)"},
	} {
		f := sim.Failures{}.Add(0b100, broken, 9).Add(c.failed, broken, 9)
		require.EqualError(t, f, c.want)
	}
}

// TestFailuresInOrder: the list contains the first failure of each instance in ascending order, for
// any order of assertions and cycles.
func TestFailuresInOrder(t *testing.T) {
	one, other := &sim.AssertionError{Text: "one"}, &sim.AssertionError{Text: "other"}
	f := sim.Failures{}.Add(0b10010, one, 3).Add(0b00111, other, 3)
	f = f.Join(sim.Failures{}.Add(1<<63|0b1010, one, 4))
	var have []sim.Failure
	for copy, x := range map[int]struct {
		of    *sim.AssertionError
		cycle uint64
	}{0: {other, 3}, 1: {one, 3}, 2: {other, 3}, 3: {one, 4}, 4: {one, 3}, 63: {one, 4}} {
		a := *x.of
		a.Cycle = x.cycle
		have = append(have, sim.Failure{Copy: copy, AssertionError: a})
	}
	require.ElementsMatch(t, have, f)
	require.IsIncreasing(t, copiesOf(f))
}

func copiesOf(f sim.Failures) (out []int) {
	for _, x := range f {
		out = append(out, x.Copy)
	}
	return out
}
