package hotline_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
)

// TestWatched: there are no findings in a training with rows that move, nor in the baseline.
func TestWatched(t *testing.T) {
	for _, optimiser := range []dlrm.Optimiser{dlrm.SGD, dlrm.Adagrad} {
		j := newJob(t, 4, 3)
		j.Model.Optimiser, j.opts.Relearn = optimiser, 3
		_, h := j.hotline(t)
		for _, s := range []train.System{h, j.hybrid(t)} {
			w := consistency.New(j.Initial(t))
			_, err := train.Run(s, j.Batches(t), w, nil)
			require.NoError(t, err)
			findings, err := w.Finish(s)
			require.NoError(t, err)
			require.Empty(t, findings, s.Name())
		}
	}
}

// TestSeededBugs: missing updates of hot rows are found, in the middle and at the end.
func TestSeededBugs(t *testing.T) {
	for kind, last := range map[consistency.Kind]int{consistency.StaleRead: 5, consistency.LostUpdate: 10} {
		j := newJob(t, 1, 2)
		_, h := j.hotline(t)
		saved := make([]byte, j.card.Blocks*rowBytes)
		w := consistency.New(j.Initial(t))
		_, err := train.Run(h, j.Batches(t), w, func(step train.Step) error {
			switch step.MiniBatch {
			case last - 1:
				return h.HotTable(0).Read(0, saved)
			case last:
				return errors.Join(h.HotTable(0).Write(0, saved), h.HotTable(1).Write(0, saved))
			}
			return nil
		})
		require.NoError(t, err)
		findings, err := w.Finish(h)
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(findings, func(f consistency.Finding) bool { return f.Kind == kind }), "%v: %v", kind, findings)
	}
}
