package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// TestPromiseOfCDLRM: the configuration determines whether cDLRM guarantees sequential training.
// cDLRM as released never does.
func TestPromiseOfCDLRM(t *testing.T) {
	for lambda, promise := range map[int]string{0: "sequential", 1: "sequential", 2: "approximate"} {
		j := newJob(t, func(c *configs.Config) {
			*c.Options["cdlrm"].(*cdlrm.Options) = cdlrm.Options{Lambda: lambda, Sets: 7, Window: 2}
		})
		var err error
		j.Systems, err = registry.Choose(catalog.Systems(), "hybrid,cdlrm,cdlrm-paper")
		require.NoError(t, err)
		r := run(t, j)
		require.True(t, r.Identical(), r.Difference())
		exact, released := system(t, r, "cdlrm"), system(t, r, "cdlrm-paper")
		require.Equal(t, []string{promise, "approximate"}, []string{exact.Promise, released.Promise})
		require.Equal(t, promise == "sequential", exact.Identical != nil)
		require.Nil(t, released.Identical)
		require.NotEqual(t, *exact.Loss, *released.Loss, "updates are lost")
	}
}

// TestCDLRMOfStates: models that cDLRM cannot train are reported before anything runs, and only if
// cDLRM is selected.
func TestCDLRMOfStates(t *testing.T) {
	j := newJob(t, func(c *configs.Config) {
		c.Options["cdlrm"].(*cdlrm.Options).Lambda = 3
		require.NoError(t, c.SetPreset("rm1"))
	})
	var err error
	j.Data, _, err = experiment.OpenData(t.Context(), "taobao:../../dlrm/data/visits/testdata/userbehavior.csv", 1, clicklog.Options{})
	require.NoError(t, err)
	for name, want := range map[string]string{"hybrid": "", "cdlrm": "lambda is 3 with an optimiser that has states", "cdlrm-paper": "lambda is 3 with"} {
		systems, err := registry.Choose(catalog.Systems(), name)
		require.NoError(t, err)
		err = experiment.Check(j.Config, j.Data, systems)
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, "tiny.hcl:1: "+want)
	}
}
