package picture

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBoxes: boxes of a row end above the boxes of the next row, and arrows end between them. A box
// over two rows ends with the second. Without the arrows' labels the picture is lower.
func TestBoxes(t *testing.T) {
	b := Boxes{
		Title: "Boxes", Text: "Two rows.",
		Boxes: []Box{
			{Row: 0, Column: 0, End: 6, Name: "a"},
			{Row: 1, Column: 0, End: 6, Name: "b", Lines: []string{"a/path/that/does/not/fit/in/this/box, with more"}, Dashed: true},
			{Row: 0, Rows: 2, Column: 6, End: 12, Name: "c"},
		},
		Arrows: []BoxArrow{{From: 0, To: 1, Label: "down"}, {From: 1, To: 2, Both: true}},
	}
	svg := File(b.SVG())
	var top, bottom []float64
	for _, e := range parse(t, svg) {
		if e.name == "rect" && strings.HasPrefix(e.attr["class"], "part") {
			top, bottom = append(top, e.number(t, "y")), append(bottom, e.number(t, "y")+e.number(t, "height"))
		}
	}
	require.Len(t, top, 3)
	require.Greater(t, top[1], bottom[0]+textHeight)
	require.Equal(t, top[0], top[2])
	require.Equal(t, bottom[1], bottom[2])
	require.Equal(t, 1, strings.Count(svg, "part dashed"))
	require.Equal(t, 3, strings.Count(svg, `class="tip"`))
	require.Contains(t, svg, ">a/path/that/does/not/fit/<")
	require.Contains(t, svg, ">in/this/box, with more<")

	height := func(b Boxes) float64 {
		tops, _ := b.rows()
		return tops[1]
	}
	labelled := height(b)
	b.Arrows[0].Label = ""
	require.Equal(t, labelled-textHeight, height(b))
}
