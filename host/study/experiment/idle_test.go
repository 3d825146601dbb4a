package experiment_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/catalog"
)

// TestIdle: in the default comparison, systems that did nothing of their own say so. A system whose
// tables have the tensor-train form does not. Each mechanism refers to a count of its system.
func TestIdle(t *testing.T) {
	small := configs.Small()
	small.Training.Batches = 4
	clicks, err := experiment.Clicks(small)
	require.NoError(t, err)
	r := run(t, experiment.Job{Config: small, Data: clicks, Systems: catalog.Systems(), Accelerator: experiment.Functional(*small.Accelerator), Valueless: true})
	idle := map[string]string{}
	for i, d := range catalog.Systems() {
		s := r.Systems[i]
		require.Equal(t, d.Name, s.System)
		for _, m := range d.Mechanisms {
			require.True(t, slices.ContainsFunc(s.Counts, func(c train.Count) bool { return c.Label == m.Count }), "%s does not count %s", d.Name, m.Count)
		}
		if s.Idle != "" {
			idle[s.System] = s.Idle
		}
	}
	require.Equal(t, "no table is large enough for tensor-train form", idle["elrec"])
	require.Equal(t, idle["elrec"], idle["tt-rec"])
	require.Contains(t, idle["scratchpipe"], "so none was evicted")
	require.NotContains(t, idle, "hotline")
	require.NotContains(t, idle, "static-cache")

	require.Empty(t, system(t, run(t, newTTJob(t, "elrec")), "elrec").Idle)
}
