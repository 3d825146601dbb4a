package dlrm

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSigmoidAndCrossEntropy(t *testing.T) {
	for _, z := range []float32{-200, -30, -1, 0, 0.5, 20, 200} {
		require.InDelta(t, 1/(1+math.Exp(-float64(z))), sigmoid(z), 1e-7)
	}
	require.Equal(t, float32(0.5), sigmoid(0))
	require.InDelta(t, math.Ln2, crossEntropy(0.5, 1), 1e-15)
	require.InDelta(t, -math.Log(0.75), crossEntropy(0.25, 0), 1e-15)
	require.Equal(t, 100.0, crossEntropy(0, 1))
	require.Equal(t, 100.0, crossEntropy(1, 0))
	require.Equal(t, 0.0, crossEntropy(1, 1))
}

func TestLosses(t *testing.T) {
	require.Equal(t, crossEntropy(0.25, 1), BCE.of(0.25, 1))
	require.Equal(t, 0.5625, MSE.of(0.25, 1))
	require.EqualValues(t, -0.75/4, BCE.gradient(0.25, 1, 4))
	require.EqualValues(t, -2*0.75/4*0.75*0.25, MSE.gradient(0.25, 1, 4))
}
