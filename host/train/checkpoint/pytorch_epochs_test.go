package checkpoint_test

import (
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
)

// TestPyTorchOfEpochs: PyTorch repeats epochs that are shuffled, from the exported files. As a
// control, the losses differ if the exported inputs have another order.
func TestPyTorchOfEpochs(t *testing.T) {
	program := python(t)
	m := newModel(dlrm.DLRM, dlrm.SGD)
	start := initial(t, m)
	shuffled := func(seed uint64) *train.Batches {
		var epochs []data.Source
		for e := range 3 {
			epoch, err := data.Shuffle(newBatches(t, m, 5).Source(), 100, seed, e)
			require.NoError(t, err)
			epochs = append(epochs, epoch)
		}
		source, err := data.Concat("epochs", epochs...)
		require.NoError(t, err)
		b, err := train.NewBatches(m, source, batch, 0)
		require.NoError(t, err)
		return b
	}
	var ours []float32
	h := machine{"hotline", 2}.begin(t, start)
	_, err := train.Run(h, shuffled(1), train.Unwatched{}, func(step train.Step) error {
		ours = append(ours, step.Loss)
		return nil
	})
	require.NoError(t, err)
	end, err := start.After(h)
	require.NoError(t, err)
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, checkpoint.Export(path("start"), start))
	require.NoError(t, checkpoint.Export(path("end"), end))
	worst := func(seed uint64) (worst float64) {
		require.NoError(t, checkpoint.ExportInputs(path("inputs"), start, shuffled(seed)))
		theirs := strings.Fields(run(t, ".", program, "testdata/train.py", path("start"), path("inputs"), path("end"), "float32"))
		require.Len(t, theirs, len(ours)+1)
		for i, loss := range ours {
			x, err := strconv.ParseFloat(theirs[i], 64)
			require.NoError(t, err)
			worst = max(worst, math.Abs(x-float64(loss)))
		}
		return worst
	}
	require.LessOrEqual(t, worst(1), 1e-6)
	require.Greater(t, worst(2), 1e-2)
}
