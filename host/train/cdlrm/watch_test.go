package cdlrm_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/consistency"
)

// reread returns a cached row of table a that mini-batches m and next read. Each input
// reads one row of the table.
func reread(t *testing.T, j *job, s *cdlrm.System, m, next int) (index uint32) {
	reads := func(m int) (rows []uint32) {
		for _, in := range j.Inputs[m*j.Batch : min((m+1)*j.Batch, len(j.Inputs))] {
			rows = append(rows, in.Sparse[0])
		}
		return rows
	}
	again := reads(next)
	for _, index := range reads(m) {
		if slices.Contains(again, index) && s.Cached(0, index) {
			return index
		}
	}
	t.Fatal("there is none")
	return 0
}

// A fault after mini-batch 3, the first of a window, is found: the next one reads
// the row.
func TestFaultsAreFound(t *testing.T) {
	const m = 3
	for _, c := range []struct {
		name  string
		fault func(t *testing.T, s *cdlrm.System, w train.Watch, index uint32, before []float32)
		want  consistency.Kind
	}{
		{"skipped write-back", func(_ *testing.T, s *cdlrm.System, _ train.Watch, index uint32, _ []float32) { s.Forget(0, index) }, consistency.StaleRead},
		{"early eviction", func(t *testing.T, s *cdlrm.System, w train.Watch, index uint32, _ []float32) {
			require.NoError(t, s.EvictEarly(w, 0, index))
		}, consistency.HeldSlot},
		{"update of the old place", func(t *testing.T, s *cdlrm.System, _ train.Watch, index uint32, before []float32) {
			require.NoError(t, s.Misplace(0, index, before))
		}, consistency.StaleRead},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJob(t, 2, 2)
			s, w := j.system(t), consistency.New(j.Initial(t))
			before := make([]float32, j.Model.Dim)
			var index uint32
			_, err := train.Run(s, j.Batches(t), w, func(step train.Step) error {
				switch step.MiniBatch {
				case m - 1:
					index = reread(t, j, s, m, m+1)
					return s.Row(0, index, before)
				case m:
					c.fault(t, s, w, index, before)
				}
				return nil
			})
			require.NoError(t, err)
			findings, err := w.Finish(s)
			require.NoError(t, err)
			require.Positive(t, kinds(findings)[c.want])
			first := findings[slices.IndexFunc(findings, func(f consistency.Finding) bool { return f.Kind == c.want })]
			require.Equal(t, []any{m + 1, 0, index}, []any{first.MiniBatch, first.Table, first.Row})
		})
	}
}

// TestCopiesAreCompared: GPUs with different values are detected.
func TestCopiesAreCompared(t *testing.T) {
	for _, lambda := range []int{1, 2} {
		j := newJob(t, 2, 3)
		j.opts.Lambda = lambda
		s := j.system(t)
		_, err := train.Run(s, j.Batches(t), train.Unwatched{}, nil)
		require.NoError(t, err)
		index, row := reread(t, j, s, 9, 10), make([]float32, j.Model.Dim)
		require.NoError(t, s.Row(0, index, row))
		require.NoError(t, s.Spoil(0, index))
		require.ErrorContains(t, s.Row(0, index, row), "GPU 2 has 0 in element 0, GPU 0 has ")
	}
}

// TestReleased: the released program reads stale rows and loses updates. The watch finds both from
// the start, but no held slot that is taken and no row in two places.
func TestReleased(t *testing.T) {
	j := newJob(t, 2, 2)
	j.opts.Released, j.opts.Window = true, 1
	s := j.system(t)
	r, findings := j.Watched(t, s, nil)
	got := kinds(findings)
	require.Positive(t, got[consistency.StaleRead])
	require.Positive(t, got[consistency.LostUpdate])
	require.Zero(t, got[consistency.HeldSlot])
	require.Zero(t, got[consistency.TwoPlaces])
	for _, label := range []string{cdlrm.CountOld, cdlrm.CountLost, cdlrm.CountAge1, cdlrm.CountAge2} {
		require.Positive(t, r.Count(label), label)
	}
	require.Zero(t, r.Count(cdlrm.CountAgain))
	_, err := train.Compare(j.Baseline(t), s)
	require.Error(t, err)

	j.opts.Sets = 5000
	_, findings = j.Watched(t, j.system(t), nil)
	require.Empty(t, findings, "nothing ever leaves the caches")
}

// TestLambda: averages of copies that several mini-batches have updated differ from sequential
// training; on one GPU they are equal.
func TestLambda(t *testing.T) {
	for _, c := range []struct{ gpus, lambda, averages int }{{1, 2, 0}, {2, 1, 11}, {2, 2, 6 + 2}, {4, 100, 4}} {
		j := newJob(t, 2, c.gpus)
		j.opts.Lambda = c.lambda
		s := j.system(t)
		r, findings := j.Watched(t, s, nil)
		require.Equal(t, c.gpus == 1 || c.lambda == 1, len(findings) == 0)
		require.Zero(t, kinds(findings)[consistency.HeldSlot])
		require.EqualValues(t, c.averages, r.Count(cdlrm.CountAveraged), "every lambda mini-batches, and at the end of a window")
	}
}

// TestAverage: with two GPUs and a lambda of 2, the first mini-batch equals sequential training. In
// the second mini-batch each GPU reads its own copy, and Row returns the average in between.
func TestAverage(t *testing.T) {
	j := newJob(t, 2, 2)
	j.opts.Lambda = 2
	j.opts.Window = 2
	s, h := j.system(t), j.baselineTo(t, 1)
	_, err := train.Run(s, j.Batches(t), train.Unwatched{}, func(step train.Step) error {
		if step.MiniBatch > 0 {
			return nil
		}
		index := reread(t, j, s, 0, 1)
		got, want := make([]float32, j.Model.Dim), make([]float32, j.Model.Dim)
		require.NoError(t, s.Row(0, index, got))
		require.NoError(t, h.Row(0, index, want))
		require.InDeltaSlice(t, want, got, 1e-6, "a step of all GPUs, but for rounding")
		return nil
	})
	require.NoError(t, err)
}
