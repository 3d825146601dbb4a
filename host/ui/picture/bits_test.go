package picture

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBits: fields of one colour are connected, others are not.
func TestBits(t *testing.T) {
	b := Bits{Title: "Key", Text: "A key.", Columns: 8, Rows: []BitRow{
		{Name: "key", Fields: []BitField{{"tag", "5", 0, 3, 0}, {"set", "1f", 3, 5, 1}}, Step: "select"},
		{Name: "set", Fields: []BitField{{"set", "1f", 3, 5, 1}}},
	}}
	svg := File(b.SVG())
	parse(t, svg)
	require.Equal(t, 1, strings.Count(svg, "fill-opacity:.1\""))
	require.Contains(t, svg, ">5 bits<")
	b.Rows[1].Fields[0].Colour = 2
	require.NotContains(t, b.SVG(), "fill-opacity:.1\"")
}
