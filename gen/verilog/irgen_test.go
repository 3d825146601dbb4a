package verilog_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/random"
)

// TestRandomDesigns: the tools accept random designs, and Icarus agrees with the oracle.
// SEEDS=1-200 tests more designs.
func TestRandomDesigns(t *testing.T) {
	first, last := 1, 4
	if s := os.Getenv("SEEDS"); s != "" {
		_, err := fmt.Sscanf(s, "%d-%d", &first, &last)
		require.NoError(t, err)
	}
	for seed := first; seed <= last; seed++ {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			t.Parallel()
			d := random.Random(uint64(seed), random.Small)
			files, err := verilog.Generate(d)
			require.NoError(t, err)
			lint(t, d, files)
			compare(t, d, files, 40, uint64(seed))
		})
	}
}
