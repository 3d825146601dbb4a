package accuracy

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/explanation/systems/" + file)
	require.NoError(t, err)
	return string(text)
}

func outcomes(t *testing.T) measured {
	all, err := readMeasured()
	require.NoError(t, err)
	require.Len(t, all, len(variants()))
	for _, v := range variants() {
		require.Len(t, all[v.name()], seeds, v.name())
	}
	return all
}

// The documents have the tables and pictures of what was measured.
func TestDocuments(t *testing.T) {
	all := outcomes(t)
	for _, s := range sweeps() {
		document := read(t, s.document)
		require.Contains(t, document, s.table(all), "scripts/accuracy --draw prints it")
		for name, svg := range s.pictures(all) {
			require.Equal(t, read(t, name), svg, "%s; scripts/accuracy --draw writes it", name)
			require.Contains(t, document, "]("+name+")")
		}
	}
}

// What was measured comes out again: of a few trainings, or of all, which takes as long
// as to measure them, if HOTLINE_ACCURACY is set. With -short it is one training.
func TestMeasured(t *testing.T) {
	all, again := outcomes(t), 0
	few := map[string]bool{sequential(512).name(): true, "cdlrm, lambda 64, mini-batches of 512": true, "elrec, rank 1, threshold 1000, mini-batches of 256": true}
	if testing.Short() {
		few = map[string]bool{sequential(512).name(): true}
	}
	for _, v := range variants() {
		for i, want := range all[v.name()] {
			if os.Getenv("HOTLINE_ACCURACY") == "" && (!few[v.name()] || i > 0) {
				continue
			}
			got, err := measure(v, uint64(i+1))
			require.NoError(t, err)
			require.Equal(t, want, got, "%s, seed %d", v.name(), i+1)
			again++
		}
	}
	require.GreaterOrEqual(t, again, len(few))
}

// No two variants are the same training.
func TestVariantsDiffer(t *testing.T) {
	seen := map[string]string{}
	for _, v := range variants() {
		c, err := v.config(1)
		require.NoError(t, err)
		text, err := json.Marshal([]any{v.system, c.Values()})
		require.NoError(t, err)
		require.Empty(t, seen[string(text)], v.name())
		seen[string(text)] = v.name()
	}
}

// With a lambda of 1 replicas are alike, and the model is that of sequential training.
func TestLambdaOfOne(t *testing.T) {
	all := outcomes(t)
	for _, l := range lambdas().lines {
		v := l.variants[0]
		require.Equal(t, "lambda 1", v.label)
		require.Equal(t, all[sequential(v.batch).name()], all[v.name()])
		require.Zero(t, all[v.name()][0].Apart)
		require.Positive(t, all[l.variants[1].name()][0].Apart)
	}
}

// Two inputs read a row of the first table, from replicas that are 2 apart; the rows of
// the second are read once each, and of one replica.
func TestSpread(t *testing.T) {
	model := dlrm.Config{Dim: 2, Tables: []dlrm.Table{{Rows: 5, Lookups: 1}, {Rows: 5, Lookups: 1}}}
	s := newSpread(model)
	var batch dlrm.Batch
	for i, rows := range [][]uint32{{1, 0}, {2, 1}, {1, 2}} {
		batch.Append(dlrm.Sample{Dense: []float32{0}, Sparse: rows, Label: float32(i % 2)})
	}
	s.Begin(7, batch)
	s.Pooled(7, 0, []float32{1, 2, 0, 0})
	s.Pooled(7, 1, []float32{3, 0, 0, 0})
	s.Pooled(7, 2, []float32{1, 4, 0, 1})
	s.End(7)
	require.InDelta(t, 2, s.apart, 1e-12)
	require.InDelta(t, 1+4+9+1+16+1, s.whole, 1e-12)
	require.InDelta(t, 0.25, s.share(), 1e-9)
}

// A band is the mean and the ends of the differences seed by seed.
func TestBand(t *testing.T) {
	b := moreAUC.over([]outcome{{AUC: 0.5}, {AUC: 0.9}}, []outcome{{AUC: 0.25}, {AUC: 1}})
	require.InDeltaSlice(t, []float64{0.075, -0.1, 0.25}, []float64{b.mean, b.low, b.high}, 1e-12)
}
