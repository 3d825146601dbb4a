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

// TestDocuments checks that the documents contain the tables and plots of the measured outcomes.
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

// TestMeasured repeats trainings and compares their outcomes with measured.json. It repeats a few
// trainings, or only one with -short. With HOTLINE_ACCURACY set it repeats all, which takes as long
// as measuring them.
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

// TestVariantsDiffer checks that no two variants are the same training.
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

// TestLambdaOfOne checks that replicas are equal with a lambda of 1, and that the model equals the
// model of sequential training.
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

// TestSpread has two inputs that read the same row of the first table from replicas that differ by
// 2. Each row of the second table is read once, from one replica.
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

// TestBand checks that a band contains the mean, the minimum and the maximum of the differences of
// each seed.
func TestBand(t *testing.T) {
	b := moreAUC.over([]outcome{{AUC: 0.5}, {AUC: 0.9}}, []outcome{{AUC: 0.25}, {AUC: 1}})
	require.InDeltaSlice(t, []float64{0.075, -0.1, 0.25}, []float64{b.mean, b.low, b.high}, 1e-12)
}
