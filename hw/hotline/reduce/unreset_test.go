package reduce

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

func TestRemovedResetsAreNoticed(t *testing.T) {
	p := tiny()
	d, err := hw.Elaborate(Reduce{p})
	require.NoError(t, err)
	require.Empty(t, bench.Unreset(d, 4, func(seed uint64) error { return errors.Join(randomOps(d, p, seed, 4), afterReset(d, p)) }))
}
