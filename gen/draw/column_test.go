package draw

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLanes: short edges are in the inner lanes, and edges of a lane do not overlap.
func TestLanes(t *testing.T) {
	at := func(from, to float64) *edge { return &edge{route: route{from: from, to: to}} }
	long, first, second := at(90, 10), at(10, 40), at(60, 80)
	require.Equal(t, 2, lanes([]*edge{long, first, second}))
	require.Equal(t, []int{1, 0, 0}, []int{long.route.lane, first.route.lane, second.route.lane})
	second.route.from = 40 + apart - 1
	require.Equal(t, 3, lanes([]*edge{long, first, second}))
}

// TestSort: a box follows the boxes from which it takes data. A cycle does not prevent an order.
func TestSort(t *testing.T) {
	a, b, c := &node{name: "a", module: "m"}, &node{name: "b", module: "m"}, &node{name: "c", module: "m"}
	g := graph{nodes: []*node{a, b, c}, edges: []*edge{{from: c, to: a, stream: true}, {from: a, to: b, stream: true}, {from: b, to: c}}}
	require.Equal(t, []*node{c, a, b}, g.sort())
	g.edges = g.edges[:1]
	require.Equal(t, []*node{b, c, a}, g.sort())
}
