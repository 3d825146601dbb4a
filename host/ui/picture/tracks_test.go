package picture

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// rectangles returns the rectangles of the blocks of a class and their titles.
func rectangles(t require.TestingT, svg, class string) (list []element, titles []string) {
	all := parse(t, svg)
	for i, e := range all {
		if e.name == "rect" && len(e.in) > 0 && strings.HasPrefix(e.in[len(e.in)-1], class+" ") {
			list, titles = append(list, e), append(titles, all[i-1].text)
		}
	}
	return list, titles
}

func randomTracks(t *rapid.T) Tracks {
	p := Tracks{Title: "t", Text: "t", Names: []string{"a", "b", "c"}}
	n := rapid.IntRange(0, 40).Draw(t, "blocks")
	at := 0.0
	for i := range n {
		at += rapid.SampledFrom([]float64{0, 0.1, 1, 30}).Draw(t, "gap")
		length := rapid.SampledFrom([]float64{0, 0.05, 1, 8, 100}).Draw(t, "length")
		p.Blocks = append(p.Blocks, Block{
			Track: rapid.IntRange(0, 2).Draw(t, "track"), Label: rapid.SampledFrom([]string{"x", "gather", "dispatch pooled vectors"}).Draw(t, "label"),
			Text: fmt.Sprint(i), Start: at, End: at + length, Faint: rapid.IntRange(0, 4).Draw(t, "faint") == 0,
		})
	}
	return p
}

// TestTracks: the overview contains all blocks exactly once, each on its track. Neither blocks nor
// labels overlap.
func TestTracks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomTracks(t)
		svgs := p.SVG()
		_, titles := rectangles(t, svgs[0], "event")
		var want []string
		for _, b := range p.Blocks {
			if !b.Faint {
				want = append(want, b.Text)
			}
		}
		require.Equal(t, want, titles)
		for _, svg := range svgs {
			apart(t, svg)
		}
	})
}

// apart checks that neither blocks nor the labels below them overlap.
func apart(t require.TestingT, svg string) {
	type box struct {
		y, from, to float64
		what        string
	}
	var boxes []box
	for _, e := range parse(t, svg) {
		if e.name != "text" || !strings.HasPrefix(e.attr["class"], "block") {
			continue
		}
		from, to := span(t, e)
		require.GreaterOrEqual(t, from, float64(trackLeft)-1)
		require.LessOrEqual(t, to, float64(wide-trackRight)+1)
		boxes = append(boxes, box{e.number(t, "y"), from, to, e.text})
	}
	for i, a := range boxes {
		for _, b := range boxes[:i] {
			require.False(t, a.y == b.y && a.from < b.to-0.2 && b.from < a.to-0.2, "%v on %v", a, b)
		}
	}
}

// TestLanes: blocks that overlap in time are on different lanes, and the lanes of two tracks are
// below each other.
func TestLanes(t *testing.T) {
	p := Tracks{Names: []string{"a", "b"}, Blocks: []Block{{Track: 1, Text: "0", End: 10}, {Text: "1", End: 5}, {Text: "2", Start: 4, End: 9}, {Text: "3", Start: 5, End: 9}}}
	list, titles := rectangles(t, p.SVG()[0], "event")
	require.Equal(t, []string{"0", "1", "2", "3"}, titles)
	var y []float64
	for _, e := range list {
		y = append(y, e.number(t, "y"))
	}
	require.Equal(t, y[1], y[3])
	require.Less(t, y[1], y[2])
	require.Less(t, y[2], y[0])
}

// TestFaint: faint blocks do not extend the time; they are clipped or omitted.
func TestFaint(t *testing.T) {
	list, titles := rectangles(t, tracks("name").SVG()[0], "other")
	require.Equal(t, []string{""}, titles, "the one that is partly there")
	require.InDelta(t, trackLeft, list[0].number(t, "x"), 1e-9)
}

// TestCloseUp: a crowd has a close-up with wide blocks. The overview draws its blocks without
// labels and arrows and marks the position of the close-up.
func TestCloseUp(t *testing.T) {
	svgs := tracks("name").SVG()
	require.Len(t, svgs, 2)
	require.Contains(t, svgs[0], ">close-up 1</text>")
	require.Contains(t, svgs[1], "<title>name, close-up 1</title>")
	require.NotContains(t, svgs[0], ">tiny</text>")
	require.Contains(t, svgs[1], ">tiny</text>")
	arrows := func(svg string) int { return strings.Count(svg, `class="arrow"`) }
	require.Equal(t, []int{1, 1}, []int{arrows(svgs[0]), arrows(svgs[1])}, "each where it can be seen")
	list, _ := rectangles(t, svgs[1], "event")
	require.Len(t, list, 5)
	for _, e := range list {
		require.Greater(t, e.number(t, "width"), 40.)
	}
	spread := tracks("name")
	spread.Blocks = slices.Clone(spread.Blocks[:4+crowd-1])
	spread.Arrows = nil
	require.Len(t, spread.SVG(), 1, "too few for a crowd")
}
