package dlrm

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
)

func TestParamsOrder(t *testing.T) {
	n, err := NewNet(testConfig(), 1)
	require.NoError(t, err)
	var names []string
	var lengths []int
	for name, values := range n.Params() {
		names, lengths = append(names, name), append(lengths, len(values))
	}
	require.Equal(t, []string{
		"bottom.0.weight", "bottom.0.bias", "bottom.1.weight", "bottom.1.bias",
		"top.0.weight", "top.0.bias", "top.1.weight", "top.1.bias", "top.2.weight", "top.2.bias",
	}, names)
	require.Equal(t, []int{18, 6, 24, 4, 70, 7, 35, 5, 5, 1}, lengths)
	for range n.Params() {
		break // an early stop must not continue
	}

	n, err = NewNet(testTBSM(), 1)
	require.NoError(t, err)
	names, lengths = nil, nil
	for name, values := range n.Params() {
		names, lengths = append(names, name), append(lengths, len(values))
	}
	require.Equal(t, []string{
		"top.1.weight", "top.1.bias", "inner.0.weight", "attention.0.weight", "attention.0.bias", "attention.1.weight", "attention.1.bias",
		"head.0.weight", "head.0.bias", "head.1.weight", "head.1.bias",
	}, names[6:])
	require.Equal(t, []int{42, 6, 36, 15, 5, 15, 3, 96, 8, 8, 1}, lengths[6:])
}

func TestDiffFindsOneBit(t *testing.T) {
	a, err := NewNet(testConfig(), 1)
	require.NoError(t, err)
	b := a.Clone()
	require.True(t, a.Equal(b))
	require.Equal(t, a.Hash(), b.Hash())

	b.layers[top][1].b[2] = 0
	a.layers[top][1].b[2] = float32(math.Copysign(0, -1)) // equal as numbers, but not as bits
	require.False(t, a.Equal(b))
	require.EqualError(t, a.Diff(b), "top.1.bias[2] is -0 (0x80000000), in the other network 0 (0x00000000)")
	require.NotEqual(t, a.Hash(), b.Hash())

	nan := float32(math.NaN())
	a.layers[top][1].b[2], b.layers[top][1].b[2] = nan, nan
	require.NoError(t, a.Diff(b))
}

func TestDiffFindsOtherShape(t *testing.T) {
	a, err := NewNet(testConfig(), 1)
	require.NoError(t, err)
	cfg := testConfig()
	cfg.Top = []int{7, 5, 3, 1}
	deeper, err := NewNet(cfg, 1)
	require.NoError(t, err)
	cfg.Top = []int{7, 1}
	shallower, err := NewNet(cfg, 1)
	require.NoError(t, err)
	require.ErrorContains(t, a.Diff(deeper), `top.2.weight has 5 values, the other network has "top.2.weight" with 15`)
	require.ErrorContains(t, a.Diff(shallower), `top.1.weight has 35 values, the other network has "top.1.weight" with 7`)
	copyOf := a.Clone()
	copyOf.layers[top] = copyOf.layers[top][:2]
	require.ErrorContains(t, a.Diff(copyOf), `top.2.weight has 5 values, the other network has "" with 0`)
	require.ErrorContains(t, copyOf.Diff(a), "the other network also has top.2.weight with 5 values")
}

func TestCloneIsIndependent(t *testing.T) {
	a, err := NewNet(testConfig(), 1)
	require.NoError(t, err)
	before := a.Hash()
	b := a.Clone()
	for _, values := range b.Params() {
		values[0]++
	}
	require.Equal(t, before, a.Hash())
	require.Equal(t, testConfig(), b.Config())
}

func TestInitialDistribution(t *testing.T) {
	cfg := testConfig()
	cfg.Bottom = []int{3, 300, 200, 4}
	n, err := NewNet(cfg, 5)
	require.NoError(t, err)
	w := n.layers[bottom][1].w
	values := make([]float64, len(w))
	beyond := 0
	sigma := math.Sqrt(2.0 / 500)
	for i, v := range w {
		values[i] = float64(v)
		if math.Abs(values[i]) > 2*sigma {
			beyond++
		}
	}
	require.InDelta(t, 0, stat.Mean(values, nil), sigma/50)
	require.InEpsilon(t, sigma, stat.StdDev(values, nil), 0.01)
	require.InDelta(t, 0.0455, float64(beyond)/float64(len(values)), 0.003)

	other, err := NewNet(cfg, 6)
	require.NoError(t, err)
	require.NotEqual(t, n.Hash(), other.Hash())
}

func TestInitRow(t *testing.T) {
	cfg := testConfig()
	cfg.Dim = 2000
	cfg.Tables[1].Rows = 400
	row := make([]float32, cfg.Dim)
	InitRow(cfg, 1, 1, 7, row)
	values := make([]float64, len(row))
	for i, v := range row {
		require.LessOrEqual(t, math.Abs(float64(v)), 0.05)
		values[i] = float64(v)
	}
	require.InDelta(t, 0, stat.Mean(values, nil), 0.003)
	require.InEpsilon(t, 0.1/math.Sqrt(12), stat.StdDev(values, nil), 0.03)

	again, other := make([]float32, cfg.Dim), make([]float32, cfg.Dim)
	InitRow(cfg, 1, 1, 7, again)
	require.Equal(t, row, again)
	cfg.Tables[2].Rows = 400
	for _, key := range [][3]uint64{{2, 1, 7}, {1, 2, 7}, {1, 1, 8}} {
		InitRow(cfg, key[0], int(key[1]), uint32(key[2]), other)
		require.NotEqual(t, row[:2], other[:2])
	}
}
