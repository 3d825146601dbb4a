package randomdesigns

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// TestForeignCampaign runs a design with black boxes, together with a design that has none, on all
// engines.
func TestForeignCampaign(t *testing.T) {
	tools.Need(t, "verilator", "make", "g++", "iverilog", "iverilog-vpi", "vvp")
	var progress bytes.Buffer
	r, err := Settings{Designs: 2, First: 46, Cycles: 300, Batch: 100}.run(&progress)
	require.NoError(t, err)
	require.True(t, newDesign(47, 1).HasExterns())
	require.Empty(t, r.Differences)
}
