package sweep

import (
	"math/rand/v2"
	"slices"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// grid returns the indices of the values of all axes, for each point. The points are the whole
// grid, in which the last axis changes fastest, or a sample of it, in the same order.
func (f *File) grid() (points [][]int) {
	n := 1
	for _, a := range f.Axes {
		n *= len(a.Values)
	}
	if f.Sample == nil {
		for i := range n {
			points = append(points, f.place(i))
		}
		return points
	}
	for _, i := range drawn(n, f.Sample.Points, f.Sample.Seed) {
		points = append(points, f.place(i))
	}
	return points
}

// place returns the indices of the values at point i of the grid.
func (f *File) place(i int) []int {
	numbers := make([]int, len(f.Axes))
	for j, a := range slices.Backward(f.Axes) {
		numbers[j] = i % len(a.Values)
		i /= len(a.Values)
	}
	return numbers
}

// drawn samples some distinct numbers below n and returns them in ascending order. All sets have
// the same probability (Floyd's algorithm).
func drawn(n, some int, seed uint64) []int {
	r := rand.New(rand.NewPCG(seed, 0))
	chosen := map[int]bool{}
	var list []int
	for top := n - some; top < n; top++ {
		i := r.IntN(top + 1)
		if chosen[i] {
			i = top
		}
		chosen[i] = true
		list = append(list, i)
	}
	slices.Sort(list)
	return list
}

// text formats a value: a string without quotes, any other value as JSON.
func text(v cty.Value) string {
	if v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
		return v.AsString()
	}
	if !v.IsWhollyKnown() {
		return "unknown"
	}
	b, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return v.GoString()
	}
	return string(b)
}
