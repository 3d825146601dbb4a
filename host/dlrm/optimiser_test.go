package dlrm

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAdagradMatchesPyTorch compares with torch.optim.Adagrad of version 2.15 with a learning rate
// of 0.05 on the same gradients.
func TestAdagradMatchesPyTorch(t *testing.T) {
	row, state := []float32{0.5, -1.25, 3, 0.1}, make([]float32, Adagrad.StateLen(4))
	for _, grad := range [][]float32{{0.1, -2, 1e-12, 0}, {0.3, 0.7, 1e-11, 1e-3}, {-0.25, 0.01, 0, 5e4}} {
		Adagrad.Step(state, grad)
		UpdateRow(row, grad, -0.05)
	}
	for i, want := range []float64{0.43357452750205994, -1.2167534828186035, 2.994961738586426, 7.450580596923828e-09} {
		require.InDelta(t, want, row[i], 6e-8, "element %d", i)
	}
	for i, want := range []float64{0.16250000894069672, 4.490099906921387, 1.010000010862211e-22, 2500000000.0} {
		require.InEpsilon(t, want, state[i], 2e-7, "state %d", i) // PyTorch may fuse product and sum
	}
}

func TestAdagradRoundsEachOperation(t *testing.T) {
	state, grad := []float32{0.3}, []float32{0.7}
	Adagrad.Step(state, grad)
	sum := float32(0.3) + float32(float32(0.7)*float32(0.7))
	require.Equal(t, sum, state[0])
	require.Equal(t, float32(0.7)/(float32(math.Sqrt(float64(sum)))+1e-10), grad[0])
	require.NotEqual(t, float32(0.7/(math.Sqrt(0.3+0.7*0.7)+1e-10)), sum)
}

func TestSGDKeepsNothing(t *testing.T) {
	require.Zero(t, SGD.StateLen(7))
	grad := []float32{1, -2}
	SGD.Step(nil, grad)
	require.Equal(t, []float32{1, -2}, grad)
}

// TestStateIsCompared: networks with the same parameters but different optimiser state are not
// equal, because the next step would differ.
func TestStateIsCompared(t *testing.T) {
	cfg := testConfig()
	cfg.Optimiser = Adagrad
	a, err := NewNet(cfg, 1)
	require.NoError(t, err)
	b := a.Clone()
	require.True(t, a.Equal(b))
	b.state[3][2] = 1
	require.Zero(t, a.state[3][2], "a clone is independent")
	require.EqualError(t, a.Diff(b), "optimiser state of bottom.1.bias[2] is 0 (0x00000000), in the other network 1 (0x3f800000)")
	require.NotEqual(t, a.Hash(), b.Hash())
	require.Equal(t, a.Len(), b.Len())
	cfg.Optimiser = SGD
	plain, err := NewNet(cfg, 1)
	require.NoError(t, err)
	require.Equal(t, plain.Len(), a.Len(), "state is no parameter")
	require.Error(t, a.Diff(plain))
}
