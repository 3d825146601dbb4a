package main

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
		fast, slow, slowTotal, least float64
		want                         int
	}{
		{0.010, 0.020, 0.1, 1, 100},
		{0.010, 0.020, 0.5, 1, 40}, // the slowest takes 20 s
		{0.300, 0.400, 0.4, 1, 4},
		{0.300, 0.400, 0.4, 0.3, 1},
		{1.500, 9.000, 50, 1, 1},
		{0.100, 9.000, 50, 1, 1},
		{0.100, 0.200, 0.2, 0, 1},
		{0, 0, 0, 1, 1_000_000}, // too short to be seen
	} {
		single := []outcome{{seconds: x.slow, total: x.slowTotal}, {seconds: x.fast, total: x.fast}}
		require.Equal(t, x.want, passesFor(single, x.least), "%+v", x)
	}
}

// TestCompare has programs that print cycles, seconds and a checksum, for each pass
// so many more, and take no time.
func TestCompare(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	shell := func(name, sum string) *program {
		script := fmt.Sprintf(`echo %s $1 $2 >>%s; echo $((100 * $2)) $((2 * $2)) %s`, name, log, sum)
		return &program{name: name, command: []string{"sh", "-c", script, "sh"}, arguments: fileAndPasses}
	}
	a, b, slow := shell("a", "5"), shell("b", "5"), shell("slow", "5")
	slow.most = 1000
	for _, x := range []struct {
		programs []*program
		e        effort
		runs     string
		speeds   [][]float64
	}{
		{[]*program{a, b}, effort{rounds: 2, least: 5, most: 1000}, "a1 b1 a3 b3 a3 b3", [][]float64{{50, 50}, {50, 50}}},
		{[]*program{a, b}, effort{rounds: 2, least: 1, most: 1000}, "a1 b1 a1 b1", [][]float64{{50, 50}, {50, 50}}},
		{[]*program{a, b}, effort{rounds: 2, least: 1}, "a1 b1", [][]float64{{50}, {50}}}, // no time for a second
		{[]*program{a, b}, effort{rounds: 3, fewest: 2, least: 1}, "a1 b1 a1 b1", [][]float64{{50, 50}, {50, 50}}},
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

	_, err := compare("d", stimulus{file: "f"}, []*program{a, shell("c", "6")}, effort{rounds: 1, least: 1, most: 1000})
	require.EqualError(t, err, "the engines differ: a has 5 after 100 cycles, c has 6 after 100")
}
