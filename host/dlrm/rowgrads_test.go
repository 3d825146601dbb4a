package dlrm

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm/exact"
)

// addRow adds one lookup of a row.
func addRow(r *RowGrads, table int, index uint32, grad ...float32) {
	r.AddBatch([]Bag{{table, 1}}, Batch{Sparse: []uint32{index}, Labels: []float32{0}}, grad)
}

func TestRowGradsCoalesceAndSort(t *testing.T) {
	r := NewRowGrads(2)
	addRow(r, 1, 5, 1, 2)
	addRow(r, 0, math.MaxUint32, 3, 4)
	addRow(r, 1, 0, 5, 6)
	addRow(r, 1, 5, 0.5, -2)
	require.Equal(t, 3, r.Len())
	other := NewRowGrads(2)
	addRow(other, 1, 0, 1, 1)
	addRow(other, 2, 1, 7, 8)
	r.Merge(other)
	require.Equal(t, 4, r.Len())
	for range 2 {
		got, err := r.Round()
		require.NoError(t, err)
		require.Equal(t, []RowGrad{
			{0, math.MaxUint32, []float32{3, 4}},
			{1, 0, []float32{6, 7}},
			{1, 5, []float32{1.5, 0}},
			{2, 1, []float32{7, 8}},
		}, got)
	}
	r.Reset()
	require.Zero(t, r.Len())
	addRow(r, 7, 7, 0.001, 0.002)
	got, err := r.Round()
	require.NoError(t, err)
	require.Equal(t, []RowGrad{{7, 7, []float32{0.001, 0.002}}}, got)
}

// TestRowGradsZeros: without values, the rows and their order are the same.
func TestRowGradsZeros(t *testing.T) {
	bags, values, zeros := []Bag{{0, 1}, {1, 3}}, NewRowGrads(2), NewRowGrads(2)
	for _, sparse := range [][]uint32{{4, 1, 3, 1, 5, 3, 6, 6}, {5, 3, 7, 0}} {
		b := Batch{Sparse: sparse, Labels: make([]float32, len(sparse)/4)}
		values.AddBatch(bags, b, make([]float32, 2*len(sparse)/2))
		zeros.AddZeros(bags, b)
	}
	other := NewRowGrads(2)
	other.AddZeros(bags, Batch{Sparse: []uint32{5, 3, 7, 9}, Labels: []float32{0}})
	zeros.Merge(other)
	values.AddBatch(bags, Batch{Sparse: []uint32{5, 3, 7, 9}, Labels: []float32{0}}, make([]float32, 4))
	want, err := values.Round()
	require.NoError(t, err)
	require.Equal(t, want, zeros.Zeros())
	require.Equal(t, len(want), zeros.Len())
	require.Len(t, want, 8)
	zeros.Reset()
	require.Empty(t, zeros.Zeros())
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

func TestRowGradsNameTheBrokenRow(t *testing.T) {
	r := NewRowGrads(1)
	addRow(r, 3, 9, float32(math.NaN()))
	addRow(r, 3, 8, math.MaxFloat32)
	addRow(r, 3, 8, math.MaxFloat32)
	addRow(r, 0, 1, 1)
	_, err := r.Round()
	require.ErrorIs(t, err, exact.ErrRange)
	require.EqualError(t, err, "gradient of row 8 of table 3: the sum is too large for a float32")
}

func TestSortByID(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var spare []lookup
	for n := range 50 {
		lookups := make([]lookup, n)
		for i := range lookups {
			lookups[i] = lookup{0xab00 | rng.Uint64()>>rng.IntN(64)<<rng.IntN(64), uint32(i)}
		}
		want := slices.Clone(lookups)
		slices.SortStableFunc(want, func(a, b lookup) int { return cmp.Compare(a.id, b.id) })
		lookups, spare = sortByID(lookups, spare)
		require.Equal(t, want, lookups)
	}
}
