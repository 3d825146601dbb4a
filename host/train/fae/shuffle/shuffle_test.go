package shuffle_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/train/fae/shuffle"
)

// strips returns the strips of a training with the listed losses, the last of which repeats.
func strips(cold, hot int, losses ...float64) (lengths []int) {
	s := shuffle.New(cold, hot)
	kind, n := s.Next()
	for n > 0 {
		if kind {
			n = -n
		}
		lengths = append(lengths, n)
		if len(losses) > 0 {
			s.Tested(losses[0])
			losses = losses[1:]
		}
		kind, n = s.Next()
	}
	return lengths
}

// TestStrips lists cold strips, and hot strips as negative lengths.
func TestStrips(t *testing.T) {
	for _, c := range []struct {
		name      string
		cold, hot int
		losses    []float64
		want      []int
	}{
		{"R(50) to the end", 10, 31, nil, []int{5, -16, 5, -15}},
		{"nothing cold", 0, 7, nil, []int{-7}},
		{"nothing hot", 7, 0, nil, []int{7}},
		{"nothing", 0, 0, nil, nil},
		{"one of each", 1, 1, nil, []int{1, -1}},
		// The first test has no previous loss; then 25 %, 12.5 %.
		{"the loss rises", 100, 200, []float64{1, 2, 3}, []int{50, -100, 25, -25, 13, -25, 12, -50}},
		{"down to R(1)", 1000, 1000, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, []int{500, -500, 250, -125, 63, -32, 16, -10, 10, -10, 10}},
		{"a queue ends", 2, 100, nil, []int{1, -50, 1, -50}},
	} {
		got := strips(c.cold, c.hot, c.losses...)
		if c.name == "down to R(1)" {
			got = got[:len(c.want)]
		}
		require.Equal(t, c.want, got, c.name)
	}
}

// TestRate checks the intended meaning of Equation 5.
func TestRate(t *testing.T) {
	for _, c := range []struct {
		losses []float64
		want   []float64
	}{
		{[]float64{5, 4, 3, 2, 1, 0}, []float64{50, 50, 50, 50, 100, 100}},
		{[]float64{5, 6, 5, 4, 3, 2, 1}, []float64{50, 25, 25, 25, 25, 50, 100}},
		{[]float64{5, 4, 3, 2, 3, 2, 1, 0, -1}, []float64{50, 50, 50, 50, 25, 25, 25, 25, 50}},
		{[]float64{5, 4, 3, 2, 2, 1, 0}, []float64{50, 50, 50, 50, 50, 50, 50}},
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8}, []float64{50, 25, 12.5, 6.25, 3.125, 1.5625, 1, 1}},
	} {
		s := shuffle.New(1, 1)
		for i, loss := range c.losses {
			s.Tested(loss)
			require.Equal(t, c.want[i], s.Rate(), "%v after %d", c.losses, i+1)
		}
	}
}

// TestAllCome: each mini-batch occurs once. Cold mini-batches are first, and kinds alternate while
// both remain.
func TestAllCome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cold, hot := rapid.IntRange(0, 500).Draw(t, "cold"), rapid.IntRange(0, 500).Draw(t, "hot")
		s := shuffle.New(cold, hot)
		done, before := map[bool]int{}, true
		for kind, n := s.Next(); n > 0; kind, n = s.Next() {
			if done[!kind] < map[bool]int{false: cold, true: hot}[!kind] {
				require.NotEqual(t, before, kind)
			}
			done[kind] += n
			before = kind
			require.Equal(t, done[false] < cold && done[true] < hot, s.Mixed())
			s.Tested(rapid.Float64().Draw(t, "loss"))
			require.LessOrEqual(t, s.Rate(), 100.)
			require.GreaterOrEqual(t, s.Rate(), 1.)
		}
		require.Equal(t, []int{cold, hot}, []int{done[false], done[true]})
	})
}
