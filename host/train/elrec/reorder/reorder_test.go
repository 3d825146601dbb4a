package reorder_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/train/elrec/reorder"
)

// TestBijection: new numbers are a permutation of all rows, and repeat.
func TestBijection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 60).Draw(t, "rows")
		row := rapid.Uint32Range(0, uint32(rows-1))
		groups := rapid.SliceOfN(rapid.SliceOfN(row, 0, 12), 0, 8).Draw(t, "groups")
		hot := rapid.Float64Range(0, 1).Draw(t, "hot")
		b, again := reorder.New(groups, hot), reorder.New(groups, hot)
		seen := map[uint32]bool{}
		for i := range uint32(rows) {
			to := b.Of(i)
			require.Less(t, to, uint32(rows))
			require.False(t, seen[to])
			require.Equal(t, to, again.Of(i))
			seen[to] = true
		}
	})
}

// By hand: row 50 is read most, then 7. Two communities take turns in the groups;
// what was not read follows in its order.
func TestHotThenCommunitiesThenOthers(t *testing.T) {
	groups := [][]uint32{{50, 7, 10, 30, 10}, {50, 20, 40, 50}, {50, 7, 10, 30}, {50, 7, 40, 20}, {50}}
	b := reorder.New(groups, 0.34)
	place := map[uint32]uint32{}
	for _, row := range []uint32{50, 7, 10, 30, 20, 40} {
		place[b.Of(row)] = row
	}
	require.EqualValues(t, 50, place[0])
	require.EqualValues(t, 7, place[1])
	require.ElementsMatch(t, []uint32{10, 30}, []uint32{place[2], place[3]})
	require.ElementsMatch(t, []uint32{20, 40}, []uint32{place[4], place[5]})
	require.EqualValues(t, 6, b.Of(0))
	require.EqualValues(t, 12, b.Of(6))
	require.EqualValues(t, 13, b.Of(8))
	require.EqualValues(t, 51, b.Of(51))
}

// By hand: rows 20 and 21 stay apart from 1, to which 20 has as many edges as to 21:
// nearly all that reads 1 does not read them. So they come behind 10 and 11, which are
// read more often.
func TestModularityKeepsHubsApart(t *testing.T) {
	groups := [][]uint32{{20, 1}, {20, 1}, {20, 21}, {20, 21}}
	for i := range uint32(6) {
		groups = append(groups, []uint32{1, 30 + i})
	}
	for range 5 {
		groups = append(groups, []uint32{10, 11})
	}
	b := reorder.New(groups, 0)
	for row, place := range map[uint32][2]uint32{1: {0, 6}, 30: {0, 6}, 35: {0, 6}, 10: {7, 8}, 11: {7, 8}, 20: {9, 10}, 21: {9, 10}} {
		require.GreaterOrEqual(t, b.Of(row), place[0], "row %d", row)
		require.LessOrEqual(t, b.Of(row), place[1], "row %d", row)
	}
}

// modularity of an order that is cut into pieces of size vertices, where each pair
// of a group is an edge: the sum, over pieces, of the share of the edges inside
// less the square of the share of the degrees.
func modularity(b *reorder.Bijection, groups [][]uint32, size uint32) float64 {
	inside, degree, total := map[uint32]float64{}, map[uint32]float64{}, 0.0
	for _, g := range groups {
		for i, x := range g {
			for j, y := range g {
				if i == j {
					continue
				}
				total++
				degree[b.Of(x)/size]++
				if b.Of(x)/size == b.Of(y)/size {
					inside[b.Of(x)/size]++
				}
			}
		}
	}
	q := 0.0
	for piece, d := range degree {
		q += inside[piece]/total - d/total*d/total
	}
	return q
}

// TestCommunitiesAreFound: eight communities of eight rows, with a foreign row in every fifth
// group, are found except for a few rows. The modularity is close to the modularity of the true
// communities.
func TestCommunitiesAreFound(t *testing.T) {
	var groups [][]uint32
	for k := range uint32(80) {
		c := k % 8
		g := []uint32{}
		for i := range uint32(4) {
			g = append(g, (3*k/8+i*(1+k%2))%8*8+c) // row 8 i + c is of community c
		}
		if k%5 == 0 {
			g[3] = (g[3] + 3) % 64
		}
		groups = append(groups, g)
	}
	before, after := modularity(reorder.New(nil, 0), groups, 8), modularity(reorder.New(groups, 0), groups, 8)
	require.Less(t, before, 0.1)
	require.Greater(t, after, 0.6)
}
