package data_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm/data"
)

func shuffle(t *testing.T, s data.Source, window int, seed uint64, epoch int) data.Source {
	mixed, err := data.Shuffle(s, window, seed, epoch)
	require.NoError(t, err)
	return mixed
}

// TestShuffle: within each window, an epoch has each input once. The order is the same from any
// input on, and differs between seeds, epochs and windows.
func TestShuffle(t *testing.T) {
	const n = 10
	for _, window := range []int{1, 3, 5, n, 2 * n} {
		s := shuffle(t, numbered(n), window, 1, 0)
		got := numbers(t, s, 0, n)
		check(t, got, s)
		for from := 0; from < n; from += window {
			end := min(from+window, n)
			require.ElementsMatch(t, numbers(t, numbered(n), 0, n)[from:end], got[from:end], "window %d", window)
		}
	}
	check(t, nil, shuffle(t, numbered(0), 3, 1, 0))

	const many = 100
	orders := [][]int{numbers(t, numbered(many), 0, many)}
	for _, s := range []data.Source{
		shuffle(t, numbered(many), many, 1, 0), shuffle(t, numbered(many), many, 2, 0),
		shuffle(t, numbered(many), many, 1, 1), shuffle(t, numbered(many), many/2, 1, 0),
	} {
		order := numbers(t, s, 0, many)
		for _, other := range orders {
			require.NotEqual(t, other, order)
		}
		orders = append(orders, order)
	}
	halves := orders[len(orders)-1]
	require.NotEqual(t, halves[:many/2], offset(halves[many/2:], -many/2), "windows have orders of their own")
	require.Equal(t, "numbered, shuffled in windows of 3", shuffle(t, numbered(n), 3, 1, 0).Name())

	_, err := data.Shuffle(numbered(n), 0, 1, 0)
	require.EqualError(t, err, "numbered: shuffled in windows of 0 inputs, expected at least 1")
}

func offset(list []int, by int) []int {
	list = slices.Clone(list)
	for i := range list {
		list[i] += by
	}
	return list
}

// TestShuffleIsFixed: the order of a seed is the same in every version.
func TestShuffleIsFixed(t *testing.T) {
	require.Equal(t, []int{5, 11, 9, 4, 1, 7, 2, 6, 3, 0, 10, 8}, numbers(t, shuffle(t, numbered(12), 12, 1, 0), 0, 12))
}

// TestShuffleIsUniform: each input is about equally often at each place.
func TestShuffleIsUniform(t *testing.T) {
	const n, epochs = 8, 8000
	var counts [n][n]float64
	for e := range epochs {
		for place, i := range numbers(t, shuffle(t, numbered(n), n, 1, e), 0, n) {
			counts[place][i]++
		}
	}
	for place := range counts {
		for i, got := range counts[place] {
			require.InDelta(t, epochs/n, got, 150, "input %d at place %d", i, place) // 5 standard deviations
		}
	}
}

// TestShuffleOfStream: a source whose length is not known is shuffled, too.
func TestShuffleOfStream(t *testing.T) {
	s := shuffle(t, uncounted{numbered(10)}, 4, 1, 0)
	_, known := s.Len()
	require.False(t, known)
	require.Equal(t, numbers(t, shuffle(t, numbered(10), 4, 1, 0), 0, 3), numbers(t, s, 0, 3))
}

func TestConcat(t *testing.T) {
	third, err := data.Range(numbered(9), 7, 9)
	require.NoError(t, err)
	s, err := data.Concat("all", numbered(2), numbered(0), numbered(3), third)
	require.NoError(t, err)
	check(t, []int{0, 1, 0, 1, 2, 7, 8}, s)
	require.Equal(t, "all", s.Name())

	open, err := data.Concat("open", numbered(2), uncounted{numbered(2)})
	require.NoError(t, err)
	_, known := open.Len()
	require.False(t, known)
	require.Equal(t, []int{1, 0, 1}, numbers(t, open, 1, 9))

	_, err = data.Concat("all", uncounted{numbered(2)}, numbered(2))
	require.EqualError(t, err, "numbered: it is not known how many inputs there are, so no others can follow them; index the log by a first pass")
	_, err = data.Concat("none")
	require.EqualError(t, err, "none: no sources, expected at least 1")
}
