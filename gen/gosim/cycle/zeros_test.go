package cycle

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// chained returns a count of the leading zeros of x, the sum of a and b, as a chain of choices. Its
// result is none if no bit is set.
func chained(width, none int) string {
	text := fmt.Sprintf("6'd%d", none)
	for bit := range width {
		text = fmt.Sprintf("mux(x[%d:%[1]d], 6'd%d, %s)", bit, width-1-bit, text)
	}
	return text
}

// halved is a count of 7 bits that halves the remaining bits repeatedly. Its result is 7 if no bit
// is set.
const halved = "concat(eq(x[6:3], 4'd0), eq(y[2:1], 2'd0), not(mux(eq(y[2:1], 2'd0), y[0:0], y[2:2])))"

// TestZeros: every implementation of a count of leading zeros is recognized. Nothing else is, nor
// is a count of few operations.
func TestZeros(t *testing.T) {
	for name, c := range map[string]struct {
		width  int
		result string
		none   int // negative for no count
	}{
		"one after the other":      {16, chained(16, 16), 16},
		"more for no bit":          {16, chained(16, 31), 31},
		"of a word's bits":         {32, chained(32, 32), 32},
		"by halves":                {7, halved, 7},
		"of few operations":        {4, chained(4, 4), -1},
		"less for no bit":          {16, chained(16, 3), -1},
		"more than a word":         {16, chained(16, 33), -1},
		"another for one place":    {16, strings.Replace(chained(16, 16), "6'd9,", "6'd8,", 1), -1},
		"another bit at one place": {16, strings.Replace(chained(16, 16), "x[3:3]", "x[2:2]", 1), -1},
		"of a bit further down":    {16, strings.Replace(chained(16, 16), "6'd9,", "mux(x[0:0], 6'd8, 6'd9),", 1), -1},
		"of something else, too":   {16, "mux(eq(a, b), 6'd0, " + chained(16, 16) + ")", -1},
		"negated":                  {16, "not(" + chained(16, 16) + ")", -1},
	} {
		d, err := ir.Parse("zeros.ir", fmt.Sprintf(`module zeros {
  input a : %d
  input b : %[1]d
  output q : %[2]d
  wire x : %[1]d
  wire y : 3
  x = add(a, b)
  y = mux(eq(x[%[3]d:%[4]d], 4'd0), x[2:0], x[%[3]d:%[5]d])
  q = %[6]s
}
`, c.width, map[bool]int{true: 3, false: 6}[c.result == halved], c.width-1, c.width-4, c.width-3, c.result))
		require.NoError(t, err, name)
		p := planOf(t, d)
		z, ok := newTasks(p).zerosIn(p.Outputs[len(p.Outputs)-1][0].V)
		require.Equal(t, c.none >= 0, ok, "%s\n%s", name, p)
		if ok {
			require.Equal(t, uint64(c.none), z.none, name)
			require.Equal(t, c.width, z.of.Width, name)
			require.Equal(t, ir.Add, z.of.Node.Code, name)
		}
	}
}
