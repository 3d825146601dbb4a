package fae_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/train"
)

// endless does not report the number of inputs.
type endless struct{ data.Source }

func (endless) Len() (int64, bool) { return 0, false }

// TestDataThatChanged: a file does not fit a log with more or fewer inputs, or with inputs that
// read other rows. This is unknown before the inputs are read.
func TestDataThatChanged(t *testing.T) {
	j := newJob(3, 2)
	j.opts.File = filepath.Join(t.TempDir(), "x.fae")
	var all dlrm.Batch
	b := j.batches(t)
	for m := range 20 {
		batch, err := b.At(m)
		require.NoError(t, err)
		for i := range batch.Len() {
			all.Append(batch.At(i))
		}
	}
	train := func(inputs dlrm.Batch) error {
		shape := data.Shape{Dense: j.model.Dense, Tables: j.model.Tables}
		b, err := train.NewBatches(j.model, endless{data.InMemory("log", shape, inputs)}, j.size, 0)
		require.NoError(t, err)
		_, err = train.Run(j.system(t), b, train.Unwatched{}, nil)
		return err
	}
	require.NoError(t, train(all.Slice(0, 500)))
	require.NoError(t, train(all.Slice(0, 500)))
	require.EqualError(t, train(all.Slice(0, 510)), "FAE, mini-batch 17: fae: 500 inputs were classified, but there are more")
	require.ErrorContains(t, train(all.Slice(0, 499)), "fae: 500 inputs were classified, but there are only ")
	require.ErrorContains(t, train(all.Slice(0, 400)), "fae: 500 inputs were classified, but there are only 4")

	var other dlrm.Batch
	for i := range 500 {
		in := all.At(i)
		if i >= j.size {
			in.Sparse = []uint32{uint32(2999 - i), 0, 0, 0}
		}
		other.Append(in)
	}
	require.ErrorContains(t, train(other), "fae: an input is said to be hot, but row 2")
}
