package data

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/rec"
)

// handmade has two tables. Accesses: a0 4, a1 1; b7 2, b5 1, b0 1, b3 1. In order of heat: a0 b7 a1 b0 b3 b5.
func handmade() *Set {
	set := &Set{Tables: []rec.Table{{Name: "a", Rows: 2, Lookups: 1}, {Name: "b", Rows: 8, Lookups: 1}}}
	for _, sparse := range [][]uint32{{0, 7}, {0, 7}, {0, 5}, {1, 0}, {0, 3}} {
		set.Samples = append(set.Samples, rec.Sample{Sparse: sparse})
	}
	return set
}

func TestTopShare(t *testing.T) {
	require.Equal(t, []float64{0.8, 0.4}, handmade().TopShare(0.01), "at least one row")
	require.Equal(t, []float64{0.8, 0.6}, handmade().TopShare(0.5))
	require.Equal(t, []float64{1, 1}, handmade().TopShare(1))
}

func TestPopularShare(t *testing.T) {
	for _, c := range []struct{ part, popular, independent float64 }{
		{0, 0, 0},
		{0.17, 0, 0},           // a0
		{0.34, 0.4, 0.8 * 0.4}, // a0 b7
		{0.5, 0.4, 1 * 0.4},    // and a1
		{0.67, 0.6, 1 * 0.6},   // and b0
		{1, 1, 1},
	} {
		popular, independent := handmade().PopularShare(c.part)
		require.InDelta(t, c.popular, popular, 1e-12, "hottest %v", c.part)
		require.InDelta(t, c.independent, independent, 1e-12, "hottest %v", c.part)
	}
}
