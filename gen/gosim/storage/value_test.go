package storage

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestTypes checks the types of values, and the expressions for one of their lanes.
func TestTypes(t *testing.T) {
	for _, c := range []struct {
		width, lanes int
		typ, lane    string
	}{
		{1, 1, "uint64", "s.v3"},
		{1, 40, "uint64", "s.v3 >> 7 & 1"},
		{1, 65, "[2]uint64", "s.v3[0] >> 7 & 1"},
		{12, 1, "uint64", "s.v3"},
		{12, 16, "[16]uint16", "uint64(s.v3[7])"},
		{12, 17, "[17]uint16", "uint64(s.v3[7])"},
		{70, 1, "[2]uint64", "s.v3[0], s.v3[1]"},
		{70, 8, "[8][2]uint64", "s.v3[7][0], s.v3[7][1]"},
	} {
		v := &plan.Value{ID: 3, Width: c.width, Lanes: c.lanes}
		require.Equal(t, c.typ, Type(v))
		at := 7
		if c.lanes == 1 {
			at = 0
		}
		text := ""
		for i, w := range Lane(v, code.Int(at)) {
			if i > 0 {
				text += ", "
			}
			text += w.String()
		}
		require.Equal(t, c.lane, text, Type(v))
	}
}

// TestPorts checks the types of ports, and the words of one of their elements.
func TestPorts(t *testing.T) {
	for typ, c := range map[string]struct {
		t    ir.Type
		word string
	}{
		"bool":         {ir.Type{Width: 1}, "bit(p)"},
		"uint16":       {ir.Type{Width: 9}, "uint64(p)"},
		"[4]uint64":    {ir.Type{Width: 33, Len: 4}, "uint64(p)"},
		"[4][2]uint64": {ir.Type{Width: 65, Len: 4}, "p[0]"},
	} {
		require.Equal(t, typ, PortType(c.t))
		require.Equal(t, c.word, PortWords(code.Name("p"), c.t.Width)[0].String())
	}
}

// TestMasked: an index needs no mask if the length of an array is not a power of two, or if the
// index is known to be in range.
func TestMasked(t *testing.T) {
	require.Equal(t, "l & 7", Masked(LaneL, 8).String())
	require.Equal(t, "l", Masked(LaneL, 9).String())
	require.Equal(t, "5", Masked(code.Int(5), 8).String())
}
