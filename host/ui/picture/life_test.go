package picture

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLife: a block that is a thousand times as long as another has three times its width.
func TestLife(t *testing.T) {
	l := Life{Title: "Life", Text: "Work.", Rows: []string{"a", "b"}, Unit: 1, Blocks: []LifeBlock{{0, "short", "7", 0, 7}, {1, "long", "511", 7, 518}}}
	svg := File(l.SVG())
	var widths []float64
	for _, e := range parse(t, svg) {
		if e.name == "rect" && strings.HasPrefix(e.attr["class"], "part") {
			widths = append(widths, e.number(t, "width"))
		}
	}
	require.Len(t, widths, 2)
	require.InDelta(t, 3, widths[1]/widths[0], 0.01)
	l.Unit = 1000 // a linear axis
	require.NotEqual(t, svg, File(l.SVG()))
}
