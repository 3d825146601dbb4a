package dlrm

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBatchHoldsInputsSideBySide(t *testing.T) {
	var b Batch
	require.Zero(t, b.Len())
	require.Zero(t, b.Slice(0, 0).Len())
	inputs := []Sample{
		{1, []float32{1, 2}, []uint32{3, 4, 5}},
		{0, []float32{6, 7}, []uint32{8, 9, 10}},
		{0.5, []float32{11, 12}, []uint32{13, 14, 15}},
	}
	for _, s := range inputs {
		b.Append(s)
	}
	require.Equal(t, 3, b.Len())
	for i, s := range inputs {
		require.Equal(t, s, b.At(i))
	}
	require.Equal(t, Batch{[]float32{6, 7, 11, 12}, []uint32{8, 9, 10, 13, 14, 15}, []float32{0, 0.5}}, b.Slice(1, 3))

	part := b.Slice(0, 1)
	part.Append(inputs[2])
	require.Equal(t, inputs[1], b.At(1), "appending to a view leaves the batch alone")
	b.At(1).Dense[0] = 42
	require.EqualValues(t, 42, b.Dense[2], "a view")

	part.Select(b, []int{2, 0, 2})
	require.Equal(t, []Sample{b.At(2), b.At(0), b.At(2)}, []Sample{part.At(0), part.At(1), part.At(2)})
	part.Select(b, nil)
	require.Zero(t, part.Len())
}

func TestBagsOfTimeSteps(t *testing.T) {
	cfg := testConfig()
	require.Equal(t, []Bag{{0, 1}, {1, 3}, {2, 2}}, cfg.Bags())
	require.Equal(t, []int{3, 6}, []int{cfg.DenseWidth(), cfg.Lookups()})
	cfg.Steps = 2
	require.Equal(t, []Bag{{0, 1}, {1, 3}, {2, 2}, {0, 1}, {1, 3}, {2, 2}}, cfg.Bags())
	require.Equal(t, []int{6, 12}, []int{cfg.DenseWidth(), cfg.Lookups()})
	require.NoError(t, cfg.Check(randomBatch(cfg, rand.New(rand.NewPCG(1, 1)), 1).At(0)))
}
