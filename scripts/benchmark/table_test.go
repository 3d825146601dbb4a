package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLines has a second Verilator that is faster by the median, but not in
// every round.
func TestLines(t *testing.T) {
	programs := []*program{{name: "old", verilator: true, build: 9}, {name: "new", verilator: true}, {name: "go"}}
	speeds := [][]float64{{10, 11, 30}, {20, 21, 22}, {40, 63, 110}}
	require.Equal(t, []line{
		{"d", "s", "old", 9, 11, 11. / 21},
		{"d", "s", "new", 0, 21, 1},
		{"d", "s", "go", 0, 63, 3},
	}, lines("d", "s", programs, speeds))
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	table{json: true, w: &b}.head()
	require.Empty(t, b.String())
	table{json: true, w: &b}.print(line{"d", "s", "e", 1.5, 2, 3})
	var got map[string]any
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	require.Equal(t, map[string]any{"design": "d", "stimulus": "s", "engine": "e", "build_s": 1.5, "cycles_per_s": 2., "ratio_to_verilator": 3.}, got)
	require.Equal(t, 1, bytes.Count(b.Bytes(), []byte("\n")))
}

func TestTable(t *testing.T) {
	var b bytes.Buffer
	out := table{w: &b}
	out.head()
	out.print(line{"hotline", "busy", "compiled-v3", 1.25, 115701.4, 2.8161})
	out.print(line{"hotline", "brief", "icarus-11.0", 3.4, 4.9, 0.0000871})
	require.Equal(t, `Ratios are to Verilator's fastest program on the same stimulus, which has 1.

design     stimulus  engine                       build s     cycles/s     ratio
hotline    busy      compiled-v3                      1.2       115701     2.816
hotline    brief     icarus-11.0                      3.4            5  8.71e-05
`, b.String())
}
