package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

func TestGains(t *testing.T) {
	c := comparison{
		programs: []*program{{level: model.Portable}, {level: model.AVX2}, {level: model.AVX512}},
		turns:    [][]outcome{round(9, 9, 9), round(10, 14, 20), round(20, 32, 50), round(10, 15, 40)},
		trial:    true,
	}
	require.Equal(t, []gain{{"d", "avx2", 1.5}, {"d", "avx512", 2.5}}, gains("d", c))
}

func TestCheck(t *testing.T) {
	const kept = "eal avx2 1.5\neal avx512 2\nhotline avx512 3\n"
	for name, x := range map[string]struct {
		measured []gain
		printed  string
		want     string
	}{
		"as before":    {[]gain{{"eal", "avx512", 2}}, "eal avx512 2.00, kept: 2.00\n", ""},
		"faster":       {[]gain{{"eal", "avx512", 4}}, "eal avx512 4.00, kept: 2.00\n", ""},
		"within noise": {[]gain{{"eal", "avx512", 1.81}}, "eal avx512 1.81, kept: 2.00\n", ""},
		"a new one":    {[]gain{{"eal", "avx512", 2}, {"isa", "avx512", 1}}, "eal avx512 2.00, kept: 2.00\nisa avx512 1.00\n", ""},
		"slower": {[]gain{{"eal", "avx2", 1.34}, {"eal", "avx512", 1.9}, {"hotline", "avx512", 1}},
			"eal avx2 1.34, kept: 1.50\neal avx512 1.90, kept: 2.00\nhotline avx512 1.00, kept: 3.00\n",
			"eal: avx2 is 1.34 times as fast as portable code, expected at least 1.35\nhotline: avx512 is 1.00 times as fast as portable code, expected at least 2.70"},
		"no vectors": {nil, "", "nothing to check: no gain is kept of these designs at a level of this processor"},
	} {
		var b strings.Builder
		err := check(&b, x.measured, kept)
		require.Equal(t, x.printed, b.String(), name)
		if x.want == "" {
			require.NoError(t, err, name)
		} else {
			require.EqualError(t, err, x.want, name)
		}
	}
	require.EqualError(t, check(&strings.Builder{}, nil, "eal fast\n"), `gains.txt: "eal fast\n": expected a design, a level and a number`)
}

// TestKeptGains checks that the recorded gains have valid designs and instruction sets.
func TestKeptGains(t *testing.T) {
	kept, err := parseGains(keptGains)
	require.NoError(t, err)
	require.NotEmpty(t, kept)
	for name := range kept {
		design, level, _ := strings.Cut(name, " ")
		require.NoError(t, (&Settings{Rounds: 1, Only: []string{design}}).Complete())
		_, err = model.LevelNamed(level)
		require.NoError(t, err)
	}
}
