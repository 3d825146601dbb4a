package picture

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// example has an idle interval and a jump from cycle 11 to cycle 20.
func example() Timing {
	t := Timing{
		Title: "Example", Text: "A stream.",
		Signals: []TimingSignal{
			{Group: "stream", Name: "valid", Bit: true},
			{Group: "stream", Name: "data"},
		},
		Arrows: []TimingArrow{{From: 0, FromCycle: 1, To: 1, ToCycle: 12}},
		Notes:  []TimingNote{{Signal: 1, Text: "The data."}},
	}
	for n := range uint64(12) {
		t.Cycles = append(t.Cycles, n)
		t.Signals[0].Values = append(t.Signals[0].Values, map[bool]string{true: "1", false: "0"}[n == 1])
		t.Signals[1].Values = append(t.Signals[1].Values, map[bool]string{true: "2a", false: ""}[n == 1])
	}
	t.Cycles = append(t.Cycles, 20)
	t.Signals[0].Values = append(t.Signals[0].Values, "1")
	t.Signals[1].Values = append(t.Signals[1].Values, "123456789abcdef")
	return t
}

// TestTiming: gaps replace idle and unselected cycles, values that do not fit are cut at the front,
// and the picture is well-formed.
func TestTiming(t *testing.T) {
	svg := File(example().SVG())
	parse(t, svg)
	require.Equal(t, svg, File(example().SVG()))
	require.Equal(t, 2, strings.Count(svg, "cycles are not shown"))
	require.Equal(t, 2, strings.Count(svg, "<title>8 cycles are not shown</title>")) // 3 to 10, 12 to 19
	require.Contains(t, svg, "…")
	require.Contains(t, svg, "<title>data: 123456789abcdef</title>")

	busy := example()
	for n := range busy.Cycles { // no idle cycle remains
		busy.Signals[0].Values[n] = map[bool]string{true: "1", false: "0"}[n%2 == 0]
	}
	require.Equal(t, 1, strings.Count(busy.SVG(), "cycles are not shown"))
}
