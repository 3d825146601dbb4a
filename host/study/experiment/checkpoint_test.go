package experiment_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
)

// saving makes a job write its checkpoints to a folder. It returns the mini-batches after which
// checkpoints were written, and their paths.
func saving(t *testing.T, j *experiment.Job, every int) (written *[]int, path func(miniBatch int) string) {
	dir := t.TempDir()
	written = new([]int)
	path = func(miniBatch int) string { return filepath.Join(dir, "after", string(rune('0'+miniBatch))) }
	require.NoError(t, os.Mkdir(filepath.Join(dir, "after"), 0o700))
	j.SaveEvery = every
	j.Save = func(c *checkpoint.Checkpoint, last bool) error {
		require.Equal(t, c.MiniBatches == 5, last)
		*written = append(*written, c.MiniBatches)
		return checkpoint.Write(path(c.MiniBatches), c)
	}
	return written, path
}

func functional(t *testing.T, change func(*configs.Config)) experiment.Job {
	j := newJob(t, change)
	j.Accelerator = experiment.Functional(*j.Config.Accelerator)
	return j
}

// TestResume: a run that resumes from a checkpoint, with another system and more GPUs, produces the
// same results as the rest of an uninterrupted run.
func TestResume(t *testing.T) {
	j := functional(t, func(c *configs.Config) { c.Training.GPUs = 1 })
	j.Config.Training.HeldOut, j.EvaluateEvery = 100, 2
	written, path := saving(t, &j, 2)
	whole := run(t, j)
	require.Equal(t, []int{2, 4, 5}, *written)
	require.Zero(t, whole.Resumed)
	want, err := os.ReadFile(path(5))
	require.NoError(t, err)

	rest := functional(t, func(c *configs.Config) { c.Training.GPUs = 2 })
	rest.Systems = rest.Systems[1:]
	rest.Config.Training.HeldOut, rest.EvaluateEvery = 100, 2
	rest.From, err = rest.Resume(path(2))
	require.NoError(t, err)
	written, path = saving(t, &rest, 0)
	r := run(t, rest)
	require.Equal(t, []int{5}, *written)
	got, err := os.ReadFile(path(5))
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, []int{2, 3, 96}, []int{r.Resumed, r.MiniBatches, r.Inputs})
	for i, m := range r.Systems[0].Series {
		require.Equal(t, whole.Systems[0].Series[2+i].Loss, m.Loss)
	}
	require.Equal(t, whole.Systems[0].Evaluations[1:], r.Systems[0].Evaluations)
	require.Contains(t, printed(t, r), "\nresumed        behind 2 mini-batches\n")
}

// TestEvaluations: the models are evaluated after every second mini-batch and at the end, on the
// same inputs.
func TestEvaluations(t *testing.T) {
	j := functional(t, nil)
	j.Config.Training.HeldOut, j.EvaluateEvery = 100, 2
	r := run(t, j)
	for _, s := range r.Systems {
		var at []int
		for _, e := range s.Evaluations {
			at = append(at, e.MiniBatch)
			require.Equal(t, 100, e.Inputs)
		}
		require.Equal(t, []int{2, 4, 5}, at)
		require.Equal(t, *s.HeldOut, s.Evaluations[2].Evaluation)
		require.NotEqual(t, s.Evaluations[0].LogLoss, s.Evaluations[1].LogLoss)
		require.Equal(t, r.Systems[0].Evaluations, s.Evaluations)
	}
	require.Regexp(t, `\nhotline: over time +3 evaluations, log loss 0\.\d{6} after 2 mini-batches, lowest 0\.\d{6} after \d mini-batches\n`, printed(t, r))

	j = functional(t, nil)
	j.Config.Training.HeldOut, j.EvaluateEvery = 100, 5
	require.Len(t, run(t, j).Systems[0].Evaluations, 1, "the end is one of them")
	j = functional(t, nil)
	j.Config.Training.HeldOut = 100
	once := run(t, j)
	require.Nil(t, once.Systems[0].Evaluations)
	require.Equal(t, r.Systems[0].HeldOut, once.Systems[0].HeldOut, "looking does not change the model")
	require.Equal(t, r.Systems[0].Series, once.Systems[0].Series, "nor what it takes")
}

// TestResumeRefusals checks the errors that are reported before anything runs.
func TestResumeRefusals(t *testing.T) {
	j := functional(t, nil)
	_, path := saving(t, &j, 0)
	run(t, j)
	_, err := functional(t, nil).Resume(path(5))
	require.EqualError(t, err, path(5)+": the model was trained on 5 mini-batches, and this run has no more; ask for more")
	more := func(c *configs.Config) { c.Training.Batches = 6 }
	from, err := functional(t, more).Resume(path(5))
	require.NoError(t, err)
	require.Equal(t, 5, from.MiniBatches)
	_, err = functional(t, func(c *configs.Config) {
		more(c)
		*c.Data.Rho = 0.5
	}).Resume(path(5))
	require.EqualError(t, err, path(5)+": the inputs of mini-batch 5 of criteo-like are not those that the model was trained on, which came from criteo-like")
	moved := functional(t, more)
	moved.Data = renamed{moved.Data}
	_, err = moved.Resume(path(5))
	require.NoError(t, err, "the inputs count, not where they come from")
	_, err = functional(t, func(c *configs.Config) { more(c); c.Training.Seed = 77 }).Resume(path(5))
	require.ErrorContains(t, err, path(5)+": seed is 1, in this run 77: ")
	_, err = functional(t, more).Resume(path(4))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// renamed is a source under another name.
type renamed struct{ data.Source }

func (renamed) Name() string { return "moved" }

// TestSaveFails: an error of Save ends the run.
func TestSaveFails(t *testing.T) {
	for _, every := range []int{0, 2} {
		j := functional(t, nil)
		full, saves := errors.New("disk full"), 0
		j.SaveEvery, j.Save = every, func(*checkpoint.Checkpoint, bool) error { saves++; return full }
		_, err := experiment.Run(t.Context(), j)
		require.ErrorIs(t, err, full)
		require.Equal(t, 1, saves)
	}
}
