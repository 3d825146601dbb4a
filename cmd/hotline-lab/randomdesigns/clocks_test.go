package randomdesigns

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClocksCampaign runs designs with several clocks, together with designs that have one clock,
// on all engines.
func TestClocksCampaign(t *testing.T) {
	var progress bytes.Buffer
	r, err := onAll(t, Settings{Designs: 4, First: 26, Cycles: 300, Batch: 100}).run(&progress)
	require.NoError(t, err)
	require.Len(t, newDesign(27, 1).Top.Domains, 3)
	require.Empty(t, r.Differences)
}
