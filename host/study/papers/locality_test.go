package papers

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// TestLocality: the missed rows decide the time of ScratchPipe on one and on eight GPUs, and
// docs/explanation/systems/scratchpipe.md has the times of Table I. A GPU-only system misses
// nothing, so its time is the same for all clicks.
func TestLocality(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains ScratchPipe for each kind of clicks")
	}
	page, err := os.ReadFile("../../../docs/explanation/systems/scratchpipe.md")
	require.NoError(t, err)
	p, err := timing.LoadProfile("fae-2022")
	require.NoError(t, err)
	b := &bench{ctx: t.Context(), clock: newClock(timing.Variants{machine.Default()})}
	moved, before := [3]int{}, [3]float64{}
	for _, r := range Records() {
		if r.Item != "Table I" || r.Of != "scratchpipe" {
			continue
		}
		c := r.first()
		var ms [3]float64
		for i, on := range []struct {
			system string
			gpus   int
		}{{"scratchpipe", 1}, {"scratchpipe", 8}, {"hugectr", 8}} {
			c.GPUs, c.Batch = on.gpus, r.first().Batch/on.gpus
			x, err := b.mix(on.system, c)
			require.NoError(t, err)
			l, err := b.clock.load(x[0].source)
			require.NoError(t, err)
			s, err := l.time(machine.Default(), p)
			require.NoError(t, err)
			ms[i] = 1e3 * s
			if own, ok := l.works[0].Own.(scratchpipe.Work); ok {
				if before[i] > 0 {
					require.Less(t, own.Fills, moved[i], r.On)
					require.Less(t, ms[i], before[i], r.On)
				}
				moved[i] = own.Fills
			} else if before[i] > 0 {
				require.Equal(t, before[i], ms[i])
			}
			before[i] = ms[i]
		}
		require.Contains(t, string(page), fmt.Sprintf("| %s | %d | %v | %.1f | %.1f |\n", c.Clicks, moved[0], *r.Value, ms[0], ms[1]))
	}
}
