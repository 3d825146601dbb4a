package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/sim"
)

// A model by itself knows no places in the source, and says none.
func TestFailures(t *testing.T) {
	var seen uint64
	broken := &sim.AssertionError{Path: "lane[1]", Text: "never"}
	for _, c := range []struct {
		failed uint64
		want   string
	}{
		{0b100, "copy 66: lane[1]: assertion failed in cycle 9: never"},
		{0b101, "copy 66: lane[1]: assertion failed in cycle 9: never (and another copy)"},
		{0b111, "copy 66: lane[1]: assertion failed in cycle 9: never (and 2 other copies)"},
	} {
		seen = 0
		f := sim.Failures{}.Add(&seen, 0b100, 64, broken, 9).Add(&seen, c.failed, 64, broken, 9)
		require.EqualError(t, f, c.want)
	}
}
