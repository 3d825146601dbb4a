package cdlrm_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
)

// TestTrainsAsTheBaseline: with caching, victims and repeated fetches, all parameters equal
// sequential training, without findings.
func TestTrainsAsTheBaseline(t *testing.T) {
	for _, gpus := range []int{1, 2, 3, 4, 8} {
		for _, optimiser := range []dlrm.Optimiser{dlrm.SGD, dlrm.Adagrad} {
			t.Run(fmt.Sprintf("%d GPUs, %v", gpus, optimiser.Rule), func(t *testing.T) {
				j := newJob(t, uint64(gpus), gpus)
				j.Model.Optimiser = optimiser
				s := j.system(t)
				r, findings := j.Watched(t, s, nil)
				require.Empty(t, findings)
				_, err := train.Compare(j.Baseline(t), s)
				require.NoError(t, err)
				for _, label := range []string{cdlrm.CountVictims, cdlrm.CountHits, cdlrm.CountEvicted, cdlrm.CountAgain, cdlrm.CountFlushed} {
					require.Positive(t, r.Count(label), label)
				}
				require.EqualValues(t, 4, r.Count(cdlrm.CountWindows), "of 11 mini-batches")
			})
		}
	}
}

// TestTrainsOtherModels: the same holds for a TBSM, and for other windows and caches.
func TestTrainsOtherModels(t *testing.T) {
	j := newJob(t, 3, 2)
	j.Model.Kind, j.Model.Steps, j.Model.Dense, j.Model.Dim = dlrm.TBSM, 3, 1, 4
	j.Model.Bottom, j.Model.Top, j.Model.Attention, j.Model.Head = []int{1, 4}, []int{5, 3}, []int{2}, []int{4, 1}
	j.Model.Optimiser = dlrm.Adagrad
	require.NoError(t, j.Model.Validate())
	var steps []dlrm.Sample
	for i := 0; i+3 <= len(j.Inputs); i += 3 {
		in := dlrm.Sample{Label: j.Inputs[i].Label, Dense: []float32{1, 0.5, 0.25}}
		for k := range 3 {
			in.Sparse = append(in.Sparse, j.Inputs[i+k].Sparse...)
		}
		steps = append(steps, in)
	}
	j.Inputs = steps
	s := j.system(t)
	_, findings := j.Watched(t, s, nil)
	require.Empty(t, findings)

	for _, o := range []cdlrm.Options{
		{Window: 1, Sets: 40, Ways: 4, Lambda: 1}, {Window: 100, Sets: 40, Ways: 4, Lambda: 1},
		{Window: 3, Sets: 1, Ways: 1, Lambda: 1}, {Window: 3, Sets: 1000, Ways: 1, Lambda: 1}, {Window: 3, Sets: 5000, Ways: 16, Lambda: 1},
	} {
		j := newJob(t, 5, 3)
		j.opts = o
		s := j.system(t)
		r, findings := j.Watched(t, s, nil)
		require.Empty(t, findings, o)
		if o.Sets == 5000 {
			require.Zero(t, r.Count(cdlrm.CountVictims), "all tables are cached whole")
			require.Zero(t, r.Count(cdlrm.CountEvicted))
		}
	}
}

// TestResumes: a training resumes where another was stopped, in the middle of a window.
func TestResumes(t *testing.T) {
	j := newJob(t, 6, 2)
	j.Model.Optimiser = dlrm.Adagrad
	whole := j.Baseline(t)
	first := j.system(t)
	var half *train.State
	_, err := train.Run(first, j.Batches(t), train.Unwatched{}, func(s train.Step) (err error) {
		if s.MiniBatch == 4 {
			half, err = j.Initial(t).After(first)
		}
		return err
	})
	require.NoError(t, err)
	second, err := cdlrm.New(j.Server(t), half, j.opts)
	require.NoError(t, err)
	_, err = train.Run(second, j.Batches(t).From(5), train.Unwatched{}, nil)
	require.NoError(t, err)
	_, err = train.Compare(whole, second)
	require.NoError(t, err)
}

func TestOptionsAreChecked(t *testing.T) {
	j := newJob(t, 1, 1)
	for want, o := range map[string]cdlrm.Options{
		"window is 0; expected 1 to 1048576":     {Window: 0, Sets: 1, Ways: 1, Lambda: 1},
		"sets is 2097152; expected 1 to 1048576": {Window: 1, Sets: 1 << 21, Ways: 1, Lambda: 1},
		"ways is 65; expected 1 to 64":           {Window: 1, Sets: 1, Ways: 65, Lambda: 1},
		"lambda is -1; expected 1 to 1073741824": {Window: 1, Sets: 1, Ways: 1, Lambda: -1},
	} {
		_, err := cdlrm.New(j.Server(t), j.Initial(t), o)
		require.EqualError(t, err, "cdlrm: "+want)
	}
	j.Model.Optimiser, j.opts.Lambda = dlrm.Adagrad, 2
	_, err := cdlrm.New(j.Server(t), j.Initial(t), j.opts)
	require.EqualError(t, err, "cdlrm: lambda is 2 with an optimiser that has states, which the GPUs do not average; expected 1, or SGD")
}

// TestScaledOptions: options that are not set depend on the run.
func TestScaledOptions(t *testing.T) {
	require.Equal(t, cdlrm.Options{Window: 3, Sets: 48, Ways: 16, Lambda: 1}, cdlrm.Options{}.Scaled(256, 24))
	require.Equal(t, cdlrm.Options{Window: 100, Sets: 25600, Ways: 16, Lambda: 1}, cdlrm.Options{}.Scaled(4096, 0))
	require.Equal(t, cdlrm.Options{Window: 100, Sets: 150_000, Ways: 1, Lambda: 1}, cdlrm.Options{Ways: 1}.Scaled(4096, 100_000))
	set := cdlrm.Options{Window: 7, Sets: 8, Ways: 9, Lambda: 10}
	require.Equal(t, set, set.Scaled(256, 24))
	require.Equal(t, 1, cdlrm.Options{}.Scaled(10, 3).Window)
}

// TestMemory: insufficient memory is reported before training.
func TestMemory(t *testing.T) {
	j := newJob(t, 1, 2)
	j.opts = cdlrm.Options{Window: 3, Sets: 1 << 20, Ways: 64, Lambda: 1}
	j.Model.Dim, j.Model.Bottom = 64, []int{3, 64}
	for i := range j.Model.Tables {
		j.Model.Tables[i].Rows = 1 << 21
	}
	_, err := train.Run(j.system(t), j.Batches(t), train.Unwatched{}, nil)
	require.ErrorContains(t, err, "GPU 0 memory needs 68720082944 bytes, but has 17179869184: 68719935488 for embedding caches, ")
}
