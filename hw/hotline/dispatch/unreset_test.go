package dispatch

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

func TestRemovedResetsAreNoticed(t *testing.T) {
	d, err := hw.Elaborate(Dispatch{tiny})
	require.NoError(t, err)
	require.Empty(t, bench.Unreset(d, 8, func(seed uint64) error { return errors.Join(checkDispatch(d, tiny, seed), checkRanges(d, tiny, seed)) }))
}
