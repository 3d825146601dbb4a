package experiment_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
)

// scratchPipe returns a job of the baseline and the variants of ScratchPipe, with the functional
// model.
func scratchPipe(t *testing.T, change func(*configs.Config)) experiment.Job {
	j := functional(t, change)
	var err error
	j.Systems, err = registry.Choose(catalog.Systems(), "hybrid,scratchpipe,scratchpipe-strawman,scratchpipe-ideal")
	require.NoError(t, err)
	return j
}

// TestScratchPipe: ScratchPipe and the straw-man end with the parameters of the baseline. The ideal
// variant does not guarantee that. Times do not depend on values, and the options of the
// configuration take effect.
func TestScratchPipe(t *testing.T) {
	for _, gpus := range []int{1, 2} {
		change := func(c *configs.Config) {
			c.Training.GPUs, c.Training.Nodes, c.Options["scratchpipe"].(*scratchpipe.Options).Share = gpus, gpus, 0.5
		}
		with := run(t, scratchPipe(t, change))
		require.True(t, with.Identical(), with.Difference())
		for _, name := range []string{"scratchpipe", "scratchpipe-strawman"} {
			require.True(t, *system(t, with, name).Identical)
		}
		ideal := system(t, with, "scratchpipe-ideal")
		require.Nil(t, ideal.Identical)
		require.Equal(t, "approximate", ideal.Promise)
		j := scratchPipe(t, change)
		j.Valueless = true
		without := run(t, j)
		for i, s := range with.Systems {
			require.Equal(t, s.Time, without.Systems[i].Time, s.System)
			require.Equal(t, s.Counts, without.Systems[i].Counts, s.System)
		}
		require.Less(t, system(t, with, "scratchpipe").Time, system(t, with, "scratchpipe-strawman").Time)
	}
	counts := func(change func(*configs.Config)) map[string]int64 {
		found := map[string]int64{}
		for _, c := range system(t, run(t, scratchPipe(t, change)), "scratchpipe").Counts {
			found[c.Label] = c.N
		}
		return found
	}
	few := counts(nil)
	wide := counts(func(c *configs.Config) {
		o := c.Options["scratchpipe"].(*scratchpipe.Options)
		o.Past, o.Future = 8, 8
	})
	require.Greater(t, wide[scratchpipe.CountWindow], few[scratchpipe.CountWindow])
	require.Greater(t, wide[scratchpipe.CountHeld], few[scratchpipe.CountHeld])
}

// TestResumeScratchPipe: a run stops with mini-batches in flight and resumes with another system,
// in both directions. The result equals the result of an uninterrupted run.
func TestResumeScratchPipe(t *testing.T) {
	for _, names := range [][2]string{{"scratchpipe", "hybrid"}, {"hybrid", "scratchpipe"}} {
		choose := func(name string) experiment.Job {
			j := functional(t, func(c *configs.Config) { c.Options["scratchpipe"].(*scratchpipe.Options).Share = 0 })
			var err error
			j.Systems, err = registry.Choose(catalog.Systems(), name)
			require.NoError(t, err)
			return j
		}
		j := choose(names[0])
		_, path := saving(t, &j, 2)
		run(t, j)
		want, err := os.ReadFile(path(5))
		require.NoError(t, err)
		rest := choose(names[1])
		rest.From, err = rest.Resume(path(2))
		require.NoError(t, err)
		_, path = saving(t, &rest, 0)
		run(t, rest)
		got, err := os.ReadFile(path(5))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}
