package hotline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/shadow"
)

// Nothing is found in a training with rows that come and go, nor in the baseline's.
func TestWatched(t *testing.T) {
	for _, optimiser := range []rec.Optimiser{rec.SGD, rec.Adagrad} {
		j := newJob(t, 4, 3)
		j.model.Optimiser, j.opts.Relearn = optimiser, 3
		_, h := j.hotline(t)
		for _, s := range []train.System{h, j.hybrid(t)} {
			w := shadow.New(j.initial(t))
			_, err := train.Run(s, j.batches(t), w, nil)
			require.NoError(t, err)
			findings, err := w.Finish(s)
			require.NoError(t, err)
			require.Empty(t, findings, s.Name())
		}
	}
}
