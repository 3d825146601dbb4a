package experiment_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// inOrder returns the job of tiny.hcl with a system that trains in an order of its own. The number
// of inputs is such that this order has one more mini-batch.
func inOrder(t *testing.T, systems string) experiment.Job {
	j := newJob(t, func(c *configs.Config) { c.Training.Batches = 8 })
	j.Accelerator = experiment.Functional(*j.Config.Accelerator)
	var err error
	j.Systems, err = registry.Choose(catalog.Systems(), systems)
	require.NoError(t, err)
	return j
}

// TestOwnOrder: a system with an order of its own is not compared with other systems. It trains on
// the same inputs, and its page can be written.
func TestOwnOrder(t *testing.T) {
	j := inOrder(t, "fae,hybrid,hotline")
	j.HTML = true
	r := run(t, j)
	s := system(t, r, "fae")
	require.Equal(t, "own order", s.Promise)
	require.Nil(t, s.Identical)
	require.True(t, *system(t, r, "hotline").Identical)
	require.Equal(t, []int{8, 256}, []int{r.MiniBatches, r.Inputs})
	require.Equal(t, []int{9, 256}, []int{s.MiniBatches, s.Inputs})
	require.Len(t, s.Series, 9)
	require.NotEqual(t, *system(t, r, "hybrid").Loss, *s.Loss)
	popular := 0
	for _, m := range s.Series {
		require.Contains(t, []int{0, m.Inputs}, *m.Popular)
		popular += *m.Popular
	}
	require.Equal(t, int64(popular), count(t, s, fae.CountPopular))
	require.Less(t, 0, popular)
	require.Less(t, popular, 256)
	var page bytes.Buffer
	require.NoError(t, r.WriteHTML(&page))
}

func count(t *testing.T, s report.System, label string) int64 {
	for _, c := range s.Counts {
		if c.Label == label {
			return c.N
		}
	}
	t.Fatalf("no count %q", label)
	return 0
}

// TestOwnOrderIsSavedAtTheEnd: its model is saved after it has seen all inputs, and any system can
// resume from it. It cannot be saved earlier, because the inputs seen until then are not a prefix
// of the data.
func TestOwnOrderIsSavedAtTheEnd(t *testing.T) {
	j := inOrder(t, "fae")
	var saved []*checkpoint.Checkpoint
	j.Save = func(c *checkpoint.Checkpoint, last bool) error {
		require.True(t, last)
		saved = append(saved, c)
		return nil
	}
	run(t, j)
	require.Len(t, saved, 1)
	require.Equal(t, []any{8, int64(256)}, []any{saved[0].MiniBatches, saved[0].Inputs})
	path := t.TempDir() + "/x"
	require.NoError(t, checkpoint.Write(path, saved[0]))
	for _, name := range []string{"hotline", "fae"} {
		rest := inOrder(t, name)
		rest.Config.Training.Batches = 12
		var err error
		rest.From, err = rest.Resume(path)
		require.NoError(t, err)
		require.Equal(t, []int{8, 128}, []int{run(t, rest).Resumed, run(t, rest).Inputs})
	}

	j.SaveEvery = 2
	_, err := experiment.Run(t.Context(), j)
	require.EqualError(t, err, "experiment: fae trains on the mini-batches in an order of its own, so its model can be saved at the end only")
}

// TestOwnOrderValueless: times do not depend on values as long as the test loss decreases.
func TestOwnOrderValueless(t *testing.T) {
	reports := map[bool]map[string]any{}
	traces := map[bool]string{}
	for _, off := range []bool{false, true} {
		j := inOrder(t, "hybrid,hotline,fae")
		j.Valueless, j.Trace = off, true
		j.Config.Options["fae"].(*fae.Options).Test = 0
		reports[off], traces[off] = withoutValues(t, run(t, j))
	}
	require.Equal(t, reports[false], reports[true])
	require.Equal(t, traces[false], traces[true])
}

// TestBudgetOfFAE: an infeasible budget is a failure of FAE. If FAE is the only system, the error
// is returned before anything runs.
func TestBudgetOfFAE(t *testing.T) {
	j := functional(t, func(c *configs.Config) { c.Options["fae"].(*fae.Options).BudgetMiB = 0.0001 })
	var err error
	j.Systems, err = registry.Choose(catalog.Systems(), "hybrid,fae")
	require.NoError(t, err)
	both := run(t, j)
	require.Nil(t, both.Systems[0].Failure)
	require.Equal(t, report.NotTrained, both.Systems[1].Failure.Kind)
	require.Contains(t, both.Systems[1].Failure.Text, "budget_mib is 0.0001, which holds 6 rows, but tables of less than ")
	require.Contains(t, both.Systems[1].Failure.Text, ": use a larger budget_mib, or a smaller small_kib")
	systems := j.Systems
	j.Systems = systems[:1]
	require.Equal(t, run(t, j).Systems[0].Time, both.Systems[0].Time)
	j.Systems = systems[1:]
	j.Progress = func(string, int, int) { t.Error("something ran") }
	_, err = experiment.Run(t.Context(), j)
	require.ErrorContains(t, err, "budget_mib is 0.0001, which holds 6 rows")
}
