package rec

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/rec/exact"
)

func TestRowGradsCoalesceAndSort(t *testing.T) {
	r := NewRowGrads(2)
	r.Add(1, 5, []float32{1, 2})
	r.Add(0, math.MaxUint32, []float32{3, 4})
	r.Add(1, 0, []float32{5, 6})
	r.Add(1, 5, []float32{0.5, -2})
	other := NewRowGrads(2)
	other.Add(1, 0, []float32{1, 1})
	other.Add(2, 1, []float32{7, 8})
	r.Merge(other)
	require.Equal(t, 4, r.Len())
	got, err := r.Round()
	require.NoError(t, err)
	require.Equal(t, []RowGrad{
		{0, math.MaxUint32, []float32{3, 4}},
		{1, 0, []float32{6, 7}},
		{1, 5, []float32{1.5, 0}},
		{2, 1, []float32{7, 8}},
	}, got)
}

func TestRowGradsOfBatch(t *testing.T) {
	bags := []Bag{{0, 1}, {1, 3}}
	r := NewRowGrads(1)
	r.AddBatch(bags, Batch{Sparse: []uint32{4, 1, 3, 1, 5, 3, 6, 6}, Labels: make([]float32, 2)}, []float32{10, 20, 30, 40})
	got, err := r.Round()
	require.NoError(t, err)
	require.Equal(t, []RowGrad{
		{0, 4, []float32{10}}, {0, 5, []float32{30}},
		{1, 1, []float32{40}}, {1, 3, []float32{60}}, {1, 6, []float32{80}},
	}, got)
}

func TestRowGradsReset(t *testing.T) {
	r := NewRowGrads(1)
	for i := range uint32(1000) { // several slabs
		r.Add(0, i, []float32{float32(i)})
	}
	require.Equal(t, 1000, r.Len())
	r.Reset()
	require.Zero(t, r.Len())
	for i := range uint32(600) {
		r.Add(1, i, []float32{1})
	}
	got, err := r.Round()
	require.NoError(t, err)
	require.Len(t, got, 600)
	for i, g := range got {
		require.Equal(t, RowGrad{1, uint32(i), []float32{1}}, g)
	}
}

func TestRowGradsNameTheBrokenRow(t *testing.T) {
	r := NewRowGrads(1)
	r.Add(3, 9, []float32{float32(math.NaN())})
	r.Add(3, 8, []float32{5000})
	r.Add(0, 1, []float32{1})
	_, err := r.Round()
	require.ErrorIs(t, err, exact.ErrRange)
	require.EqualError(t, err, "gradient of row 8 of table 3: the magnitudes of the summands add up to more than 2048")
}
