package reduce

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func TestRemovedResetsAreNoticed(t *testing.T) {
	p := tiny()
	d, err := hw.Elaborate(sized(p))
	require.NoError(t, err)
	unnoticed := bench.Unreset(d, 4, func(seed uint64) error { return errors.Join(randomOps(d, p, seed, 4), afterReset(d, p)) })
	// The reducer takes the results of the ALUs when they are due and ignores their valid bits.
	require.Empty(t, slices.DeleteFunc(unnoticed, func(name string) bool { return strings.HasPrefix(name, "fp32_") }))
}
