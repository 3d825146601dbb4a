package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAble(t *testing.T) {
	fast, slow, within := &program{}, &program{most: 100}, &program{within: true}
	all := []*program{fast, slow, within}
	require.Equal(t, all, able(all, stimulus{name: "busy", cycles: 100}))
	require.Equal(t, []*program{fast, within}, able(all, stimulus{name: "busy", cycles: 101}))
	require.Equal(t, []*program{fast, slow}, able(all, stimulus{name: random, cycles: 100}))
}

func TestPassesFor(t *testing.T) {
	for _, x := range []struct {
		seconds, total, least float64
		want                  int
	}{
		{0.010, 0.1, 1, 100},
		{0.010, 0.5, 1, 40}, // runs for 20 s
		{0.300, 0.4, 1, 4},
		{0.300, 0.4, 0.3, 1},
		{9.000, 50, 1, 1},
		{0.100, 50, 1, 1},
		{0.100, 0.2, 0, 1},
		{0, 0, 1, 1_000_000}, // too short to be measured
	} {
		require.Equal(t, x.want, passesFor(outcome{seconds: x.seconds, total: x.total}, x.least), "%+v", x)
	}
}

// TestCompare has programs that print cycles, seconds and a checksum, in proportion to the number
// of passes, and take no time. The number of passes over the stimulus depends on the program.
func TestCompare(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	shell := func(name string, seconds int, sum string) *program {
		script := fmt.Sprintf(`echo %s $1 $2 >>%s; echo $((100 * $2)) $((%d * $2)) %s`, name, log, seconds, sum)
		return &program{name: name, command: []string{"sh", "-c", script, "sh"}, arguments: fileAndPasses}
	}
	a, b, c, slow := shell("a", 2, "5"), shell("b", 2, "5"), shell("c", 5, "5"), shell("slow", 2, "5")
	slow.most = 1000
	for _, x := range []struct {
		programs []*program
		e        effort
		runs     string
		speeds   [][]float64
	}{
		{[]*program{a, b}, effort{rounds: 2, least: 5, most: 1000}, "a1 b1 a3 b3 a3 b3", [][]float64{{50, 50}, {50, 50}}},
		{[]*program{a, b}, effort{rounds: 2, least: 1, most: 1000}, "a1 b1 a1 b1", [][]float64{{50, 50}, {50, 50}}},
		{[]*program{a, b}, effort{rounds: 2, least: 1}, "a1 b1", [][]float64{{50}, {50}}}, // no time for another round
		{[]*program{a, b}, effort{rounds: 3, fewest: 2, least: 1}, "a1 b1 a1 b1", [][]float64{{50, 50}, {50, 50}}},
		{[]*program{a, c}, effort{rounds: 2, least: 5, most: 1000}, "a1 c1 a3 c1 a3 c1", [][]float64{{50, 50}, {20, 20}}},
		{[]*program{a, slow}, effort{rounds: 2, least: 5, most: 1000}, "a1 slow1 a3 a3", [][]float64{{50, 50}, {50}}},
		{[]*program{a, slow}, effort{rounds: 2, least: 1, most: 1000}, "a1 slow1 a1", [][]float64{{50, 50}, {50}}},
	} {
		require.NoError(t, os.WriteFile(log, nil, 0o644))
		c, err := compare("d", stimulus{file: "f"}, x.programs, x.e)
		require.NoError(t, err)
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		require.Equal(t, x.runs, strings.NewReplacer(" f ", "", "\n", " ").Replace(strings.TrimSpace(string(text))))
		for i, want := range x.speeds {
			require.Equal(t, want, c.speeds(i))
		}
	}

	differ := shell("d", 2, "6")
	_, err := compare("d", stimulus{file: "f"}, []*program{a, differ}, effort{rounds: 1, least: 1, most: 1000})
	require.EqualError(t, err, "the engines differ: a has 5 after 100 cycles, d has 6 after 100")

	differ = shell("d", 2, "$(($2 > 1 ? 6 : 5))")
	_, err = compare("d", stimulus{file: "f"}, []*program{a, differ}, effort{rounds: 1, least: 5, most: 1000})
	require.EqualError(t, err, "the engines differ: a has 5 after 300 cycles, d has 6 after 300")
}
