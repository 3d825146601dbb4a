package fae_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/fae"
)

const gib = 1 << 30

// moved returns the bytes that a training copies between CPU and GPUs, as defined by the table: the
// pooled vectors of cold inputs, and hot rows where the kind changes.
func moved(r train.Result, dim, gpus int) (vectors, swaps int64) {
	row := int64(4 * dim)
	return r.Count(fae.CountVectors) * row, (r.Count(fae.CountToGPUs)*int64(gpus) + r.Count(fae.CountToHost)) * row
}

// TestTable7OfFAE: FAE's column is the cold inputs' share of the copies, plus swaps. For Terabyte,
// the paper states elsewhere that 81.6 % of the inputs are hot, with rows of 400 MB. A training at
// R(50) copies them at most three times: 69.58 GB.
func TestTable7OfFAE(t *testing.T) {
	j := newJob(3, 1)
	j.opts.Test = 0
	r, err := j.train(t, j.system(t), train.Unwatched{}, nil)
	require.NoError(t, err)
	vectors, swaps := moved(r, 4, 1)
	cold := r.Count(fae.CountInputs) - r.Count(fae.CountPopular)
	require.Equal(t, cold*3*16, vectors)
	require.EqualValues(t, 3, r.Count(fae.CountSwaps))
	hot := r.Count(fae.CountHotRows) * 16
	require.Greater(t, swaps, hot)
	require.LessOrEqual(t, swaps, 3*hot)
	require.InEpsilon(t, 69.58, 375.06*(1-0.816)+3*400e6/gib, 0.03)
	// The presets' click logs, with the figures in docs/explanation/systems/fae.md.
	require.InDelta(t, 100.5, 375.06*(1-0.7336)+3*219./1024, 0.1)
	require.InDelta(t, 19.8, 60.89*(1-0.6822)+3*153.3/1024, 0.05)
}
