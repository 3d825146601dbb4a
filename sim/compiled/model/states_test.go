package model_test

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

// TestNewStates: the last dimension varies fastest.
func TestNewStates(t *testing.T) {
	type state struct{}
	s := model.NewStates([]model.Group{
		{Paths: []string{"one", "other"}, Width: 3},
		{Pattern: "a[].b[].c", Dims: []int{2, 3}, Width: 5, Depth: 7, Fixed: true},
	}, reflect.TypeFor[state]())
	require.Empty(t, s.List, "there is no model yet")
	model.New[struct{ state }]()
	want := []sim.State{{Path: "one", Width: 3}, {Path: "other", Width: 3}}
	for _, path := range []string{"a[0].b[0].c", "a[0].b[1].c", "a[0].b[2].c", "a[1].b[0].c", "a[1].b[1].c", "a[1].b[2].c"} {
		want = append(want, sim.State{Path: path, Width: 5, Depth: 7, Fixed: true})
	}
	require.Equal(t, want, s.List)
	_, found := s.Find("a[1].b[0].c", false)
	require.False(t, found)
}

// TestPlacesOfStates: Write and Read access the location that the group defines. The state includes
// registers of one and two parts and memories with one and two words per element.
func TestPlacesOfStates(t *testing.T) {
	type state struct {
		low, high [3]uint64
		bytes     [2][8]uint8
		pairs     [2][10]uint64
	}
	s := model.NewStates([]model.Group{
		{Pattern: "r[]", Dims: []int{3}, Width: 70, Registers: []model.Reg{
			{Q: "low", D: "low", Lanes: 3, Size: 64}, {Q: "high", D: "high", Lanes: 3, Size: 64}}},
		{Pattern: "m[]", Dims: []int{2}, Width: 7, Depth: 5, Memory: model.Memory{At: "bytes", Lane: 8, Size: 8, Stride: 1}},
		{Pattern: "n[]", Dims: []int{2}, Width: 100, Depth: 5, Memory: model.Memory{At: "pairs", Lane: 10, Size: 64, Stride: 2}},
	}, reflect.TypeFor[state]())
	m := model.New[struct{ state }]()
	at, buf := unsafe.Pointer(&m.state), make([]uint64, 2)
	for path, x := range map[string]struct {
		word  int
		value []uint64
	}{"r[2]": {0, []uint64{8, 9}}, "m[1]": {4, []uint64{77}}, "n[1]": {3, []uint64{5, 6}}} {
		i, found := s.Find(path, path != "r[2]")
		require.True(t, found, path)
		s.Write(at, i, x.word, x.value)
		require.Equal(t, x.value, s.Read(at, buf, i, x.word), path)
	}
	require.Equal(t, []uint64{8, 9, 77, 5, 6}, []uint64{m.low[2], m.high[2], uint64(m.bytes[1][4]), m.pairs[1][6], m.pairs[1][7]})
}

// TestNoField: a missing field in the state is a bug in the generated code and panics.
func TestNoField(t *testing.T) {
	type state struct{ _ uint64 }
	model.NewStates([]model.Group{{Pattern: "r", Width: 1, Registers: []model.Reg{{Q: "v"}}}}, reflect.TypeFor[state]())
	require.PanicsWithValue(t, "model: model_test.state has no field \"v\"", func() { model.New[struct{ state }]() })
}
