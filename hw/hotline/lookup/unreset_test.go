package lookup

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	trial "github.com/hotline-rtl/hotline/hw/lib/bench"
)

func TestRemovedResetsAreNoticed(t *testing.T) {
	d, err := hw.Elaborate(Lookup{tiny})
	require.NoError(t, err)
	require.Empty(t, trial.Unreset(d, 8, func(seed uint64) error { return compare(trial.Trial{TB: t}, d, tiny, 100, int64(seed)) }))
}
