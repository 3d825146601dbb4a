package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestForeignCampaign runs a design with foreign Verilog, and another beside it, on all
// engines.
func TestForeignCampaign(t *testing.T) {
	var progress bytes.Buffer
	r, err := settings{designs: 2, first: 26, cycles: 300, batch: 100}.run(&progress)
	require.NoError(t, err)
	require.True(t, newDesign(26, 1).HasExterns())
	require.Empty(t, r.Differences)
}
