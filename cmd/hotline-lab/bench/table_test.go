package bench

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// round returns outcomes with these speeds.
func round(speeds ...float64) (out []outcome) {
	for _, x := range speeds {
		out = append(out, outcome{cycles: uint64(x), seconds: 1})
	}
	return out
}

// TestLines has two Verilators, the second of which has the higher median but not the higher speed
// in every round. A slow engine runs in the first turn only.
func TestLines(t *testing.T) {
	c := comparison{
		programs: []*program{{name: "old", verilator: true, build: 9}, {name: "new", verilator: true}, {name: "go"}, {name: "slow", most: 10}},
		turns:    [][]outcome{round(1, 2, 3, 1), round(10, 20, 40), round(11, 21, 63), round(30, 22, 110)},
		trial:    true,
	}
	require.Equal(t, []line{
		{"d", "s", "old", 9, spread{10, 11, 30}, spread{0.5, 11. / 21, 30. / 22}},
		{"d", "s", "new", 0, spread{20, 21, 22}, spread{1, 1, 1}},
		{"d", "s", "go", 0, spread{40, 63, 110}, spread{2, 3, 5}},
		{"d", "s", "slow", 0, spread{1, 1, 1}, spread{0.5, 0.5, 0.5}},
	}, lines("d", "s", c))
}

func TestSpread(t *testing.T) {
	require.Equal(t, spread{1, 2.5, 7}, spreadOf([]float64{7, 3, 1, 2}))
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	table{json: true, w: &b}.head()
	require.Empty(t, b.String())
	table{json: true, w: &b}.print(line{"d", "s", "e", 1.5, spread{1, 2, 3}, spread{4, 5, 6}})
	require.Equal(t, `{"design":"d","stimulus":"s","engine":"e","build_s":1.5,"cycles_per_s":{"least":1,"median":2,"most":3},"ratio_to_verilator":{"least":4,"median":5,"most":6}}
`, b.String())
}

func TestTable(t *testing.T) {
	var b bytes.Buffer
	out := table{w: &b}
	out.head()
	out.print(line{"hotline", "busy", "compiled-avx512-v3", 1.25, spread{110000, 115701.4, 117000}, spread{2.7, 2.8161, 2.9}})
	out.print(line{"hotline", "brief", "icarus-11.0", 3.4, spread{4.9, 4.9, 4.9}, spread{0.0000871, 0.0000871, 0.0000871}})
	require.Equal(t, `Ratios are to Verilator's fastest program on the same stimulus, which has 1. Speeds and ratios are medians of
all rounds, between the least and the most.

design     stimulus  engine                       build s       least   cycles/s       most     least    ratio     most
hotline    busy      compiled-avx512-v3               1.2      110000     115701     117000       2.7    2.816      2.9
hotline    brief     icarus-11.0                      3.4           5          5          5  8.71e-05 8.71e-05 8.71e-05
`, b.String())
}
