package systemtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/datatest"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
)

// Draw draws n inputs of tables with one skew.
func Draw(t testing.TB, p gen.Params, tables []dlrm.Table, skew float64, n int64) []dlrm.Sample {
	for _, table := range tables {
		p.Tables = append(p.Tables, gen.Table{Table: table, Zipf: skew})
	}
	clicks, err := gen.New(p, n)
	require.NoError(t, err)
	inputs, err := datatest.Read(clicks, 0)
	require.NoError(t, err)
	return inputs
}

// Cut cuts inputs into mini-batches of some size.
func Cut(t testing.TB, model dlrm.Config, inputs []dlrm.Sample, size int) *train.Batches {
	shape := data.Shape{Dense: model.Dense, Steps: model.Steps, Tables: model.Tables}
	b, err := train.NewBatches(model, datatest.Source("test", shape, inputs), size, 0)
	require.NoError(t, err)
	return b
}

// Watched trains a system that begins from a state, and gives what a watch finds.
func Watched(t testing.TB, s train.System, from *train.State, b *train.Batches, progress func(train.Step) error) (train.Result, []consistency.Finding) {
	w := consistency.New(from)
	r, err := train.Run(s, b, w, progress)
	require.NoError(t, err)
	findings, err := w.Finish(s)
	require.NoError(t, err)
	return r, findings
}
