package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

// TestNewStates: the last of the dimensions is the fastest, and numbers stand for the
// same members in both directions.
func TestNewStates(t *testing.T) {
	s := model.NewStates([]model.Group{
		{Paths: []string{"one", "other"}, Width: 3},
		{Pattern: "a[].b[].c", Dims: []int{2, 3}, Width: 5, Depth: 7, Fixed: true},
	})
	want := []sim.State{{Path: "one", Width: 3}, {Path: "other", Width: 3}}
	for _, path := range []string{"a[0].b[0].c", "a[0].b[1].c", "a[0].b[2].c", "a[1].b[0].c", "a[1].b[1].c", "a[1].b[2].c"} {
		want = append(want, sim.State{Path: path, Width: 5, Depth: 7, Fixed: true})
	}
	require.Equal(t, want, s.List)
	i, found := s.Find("a[1].b[0].c", true)
	require.True(t, found)
	group, lane := s.At(i)
	require.Equal(t, []int{1, 3}, []int{group, lane})
}
