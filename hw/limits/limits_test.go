package limits_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/limits"
)

// TestRanges checks the text of each range, the values at its ends, and values next to them.
func TestRanges(t *testing.T) {
	for _, c := range []struct {
		r       limits.Range
		text    string
		in, out []any
	}{
		{limits.Between(1, 4), "1 to 4", []any{1, 4, int64(2)}, []any{0, 5, -1}},
		{limits.Between(0, 0.5), "0 to 0.5", []any{0.0, 0.5}, []any{-1e-9, 0.6, math.NaN(), math.Inf(1)}},
		{limits.Between(0, 1<<30), "0 to 1073741824", []any{1 << 30}, []any{1<<30 + 1}},
		{limits.AtLeast(1), "at least 1", []any{1, math.MaxInt}, []any{0}},
		{limits.Above(0), "above 0", []any{1, 1e-300}, []any{0, 0.0, math.NaN()}},
		{limits.Share(), "above 0 and at most 1", []any{1.0, 0.1}, []any{0.0, 1.1, math.NaN()}},
		{limits.PowerOfTwo(2, 16), "a power of two from 2 to 16", []any{2, 8, 16}, []any{1, 6, 32, -4, 0}},
		{limits.OneOf("lru", "lfu"), "lru, lfu", []any{"lru", "lfu"}, []any{"", "fifo"}},
		{limits.Described("twice the ways"), "twice the ways", []any{1, "x"}, nil},
	} {
		require.Equal(t, c.text, c.r.String())
		for _, v := range c.in {
			require.True(t, c.r.Contains(v), "%s: %v", c.text, v)
		}
		for _, v := range c.out {
			require.False(t, c.r.Contains(v), "%s: %v", c.text, v)
		}
	}
}

type block struct {
	Ways   int            `hcl:"ways"`
	Policy string         `hcl:"policy,optional"`
	Layers []int          `hcl:"layers"`
	Rows   map[string]int `hcl:"rows,optional"`
	Rho    *float64       `hcl:"rho,optional"`
	Free   int            `hcl:"free"`
	Own    int
}

func (block) Limits() map[string]limits.Range {
	return map[string]limits.Range{
		"ways": limits.Between(1, 4), "policy": limits.OneOf("lru", "lfu"), "layers": limits.AtLeast(1),
		"rows": limits.AtLeast(1), "rho": limits.Between(0, 1),
	}
}

func TestCheck(t *testing.T) {
	rho := 2.5
	good := block{Ways: 1, Policy: "lru", Layers: []int{64}, Rows: map[string]int{"C1": 1}, Free: -7}
	require.Empty(t, limits.Check(good))
	name, err := limits.First(good)
	require.Empty(t, name)
	require.NoError(t, err)

	bad := block{Ways: 5, Policy: "fifo", Layers: []int{64, 0}, Rows: map[string]int{"C2": 0, "C1": -1, "C3": 1}, Rho: &rho}
	require.Equal(t, []limits.Mistake{
		{"ways", "ways is 5; expected 1 to 4"},
		{"policy", `policy is "fifo"; expected lru, lfu`},
		{"layers", "layers[1] is 0; expected at least 1"},
		{"rows", "rows.C1 is -1; expected at least 1"},
		{"rows", "rows.C2 is 0; expected at least 1"},
		{"rho", "rho is 2.5; expected 0 to 1"},
	}, limits.Check(&bad))
	name, err = limits.First(bad)
	require.Equal(t, "ways", name)
	require.EqualError(t, err, "ways is 5; expected 1 to 4")
}
