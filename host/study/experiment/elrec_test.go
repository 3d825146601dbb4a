package experiment_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// newTTJob returns a job of systems that keep some tables in tensor-train form.
func newTTJob(t *testing.T, systems string) experiment.Job {
	j := newJob(t, func(c *configs.Config) {
		o := c.Options["elrec"].(*elrec.Options)
		o.Threshold, o.Rank = 10, 4
	})
	var err error
	j.Systems, err = registry.Choose(catalog.Systems(), systems)
	require.NoError(t, err)
	return j
}

// TestTTSystems: reports contain systems with tables in tensor-train form. They learn, their
// parameters are not compared, and the number of parameters is the size of their cores.
func TestTTSystems(t *testing.T) {
	j := newTTJob(t, "hybrid,elrec,tt-rec")
	r := run(t, j)
	require.True(t, r.Identical())
	full := system(t, r, "hybrid")
	for _, name := range []string{"elrec", "tt-rec"} {
		s := system(t, r, name)
		require.Equal(t, "approximate", s.Promise)
		require.Nil(t, s.Identical)
		require.NotNil(t, s.Loss)
		require.NotEqual(t, *full.Loss, *s.Loss)
		require.NotEqual(t, full.Parameters, s.Parameters)
		require.Positive(t, s.Time)
		require.NotEmpty(t, s.Counts)
	}
	require.Equal(t, system(t, r, "elrec").Parameters, system(t, r, "tt-rec").Parameters)
	again := run(t, j)
	require.Equal(t, r, again)
}

// TestTTIsNotSaved: a model with cores cannot be saved, which is reported before the training. It
// cannot resume from rows, either.
func TestTTIsNotSaved(t *testing.T) {
	j := newTTJob(t, "elrec")
	j.Save = func(*checkpoint.Checkpoint, bool) error { return nil }
	j.Progress = func(string, int, int) { t.Error("trained") }
	_, err := experiment.Run(t.Context(), j)
	require.ErrorContains(t, err, "train: the parameters of EL-Rec cannot be saved: table 0 (")

	j = newTTJob(t, "hybrid")
	path := filepath.Join(t.TempDir(), "half")
	j.Save = func(c *checkpoint.Checkpoint, _ bool) error { return checkpoint.Write(path, c) }
	run(t, j)
	j = newTTJob(t, "elrec")
	j.Config.Training.Batches++
	j.From, err = j.Resume(path)
	require.NoError(t, err)
	_, err = experiment.Run(t.Context(), j)
	require.ErrorContains(t, err, "start a new training, or use a threshold of at least")
}

// TestTTIsChecked: systems with tables in tensor-train form are checked against sequential training
// of the same cores.
func TestTTIsChecked(t *testing.T) {
	j := newTTJob(t, "elrec,tt-rec")
	j.Watch = true
	for _, s := range run(t, j).Systems {
		require.Empty(t, s.Check.First, s.System)
		require.NotZero(t, s.Check.Staleness.Reads)
	}
}
