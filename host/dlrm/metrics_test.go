package dlrm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAUCMatchesAllPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		n := 2 + rng.IntN(40)
		scores, labels := make([]float32, n), make([]float32, n)
		for i := range scores {
			scores[i] = float32(rng.IntN(8)) / 8 // many ties
			labels[i] = float32(rng.IntN(2))
		}
		won, pairs := 0.0, 0.0
		for i := range scores {
			for j := range scores {
				if labels[i] == 1 && labels[j] == 0 {
					pairs++
					switch {
					case scores[i] > scores[j]:
						won++
					case scores[i] == scores[j]:
						won += 0.5
					}
				}
			}
		}
		got, err := AUC(scores, labels)
		if pairs == 0 {
			require.ErrorIs(t, err, ErrOneClass)
			continue
		}
		require.NoError(t, err)
		require.InDelta(t, won/pairs, got, 1e-15)
	}
}

func TestLogLossAndAccuracy(t *testing.T) {
	probs, labels := []float32{0.25, 0.5, 0.875, 0}, []float32{0, 1, 1, 0}
	got, err := LogLoss(probs, labels)
	require.NoError(t, err)
	require.InDelta(t, -(math.Log(0.75)+math.Log(0.5)+math.Log(0.875))/4, got, 1e-15)
	accuracy, err := Accuracy(probs, labels)
	require.NoError(t, err)
	require.Equal(t, 0.75, accuracy)
	sure, err := LogLoss([]float32{1}, []float32{0})
	require.NoError(t, err)
	require.Equal(t, 100.0, sure)
}

func TestCalibration(t *testing.T) {
	c, ok := Calibration([]float32{0.5, 0.25, 0.75, 0}, []float32{0, 1, 0, 0})
	require.True(t, ok)
	require.Equal(t, 1.5, c)
	_, ok = Calibration([]float32{0.5}, []float32{0})
	require.False(t, ok)
}

// TestUselessPredictors: a constant has an AUC of exactly 1/2, and is calibrated if it is the mean
// label. Random scores have an AUC of 1/2 within four standard deviations, and scores that order the
// labels do not.
func TestUselessPredictors(t *testing.T) {
	const n = 4000
	rng := rand.New(rand.NewPCG(1, 2))
	labels, constant, random, useful := make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range labels {
		if i%4 == 0 {
			labels[i] = 1
		}
		constant[i], random[i] = 0.25, rng.Float32()
		useful[i] = random[i] + labels[i]/4
	}
	auc, err := AUC(constant, labels)
	require.NoError(t, err)
	require.Equal(t, 0.5, auc)
	c, _ := Calibration(constant, labels)
	require.Equal(t, 1.0, c)

	auc, err = AUC(random, labels)
	require.NoError(t, err)
	deviation := math.Sqrt((n + 1) / 12. / (n / 4) / (n * 3 / 4))
	require.InDelta(t, 0.5, auc, 4*deviation)
	auc, err = AUC(useful, labels)
	require.NoError(t, err)
	require.Greater(t, auc, 0.5+20*deviation)
}

func TestMetricsRejectBadInput(t *testing.T) {
	nan := float32(math.NaN())
	for _, metric := range []func(a, b []float32) (float64, error){AUC, LogLoss, Accuracy} {
		_, err := metric(nil, nil)
		require.EqualError(t, err, "0 scores for 0 labels, expected as many, at least one")
		_, err = metric([]float32{1}, []float32{0, 1})
		require.EqualError(t, err, "1 scores for 2 labels, expected as many, at least one")
		_, err = metric([]float32{0.5, nan}, []float32{0, 1})
		require.EqualError(t, err, "score 1 is not a number")
	}
	_, err := LogLoss([]float32{1.5}, []float32{1})
	require.EqualError(t, err, "probability 0 is 1.5, expected 0 to 1")
}
