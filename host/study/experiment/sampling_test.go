package experiment

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/timing"
)

// TestMiddle: ranges are computed on at most 100 mini-batches in the middle of a run.
func TestMiddle(t *testing.T) {
	works := make([]timing.Work, 301)
	for i := range works {
		works[i].Inputs = i
	}
	require.Equal(t, works[100:200], middle(works))
	require.Equal(t, works[:100], middle(works[:100]))
	require.Equal(t, works[:7], middle(works[:7]))
}
