package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

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
// so many more.
func TestCompare(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	shell := func(name, sum string) *program {
		script := fmt.Sprintf(`echo %s $1 $2 >>%s; echo $((100 * $2)) $((2 * $2)) %s`, name, log, sum)
		return &program{name: name, command: []string{"sh", "-c", script, "sh"}, arguments: fileAndPasses}
	}
	a, b := shell("a", "5"), shell("b", "5")

	speeds, err := compare("d", stimulus{file: "f"}, []*program{a, b}, effort{rounds: 2, least: 5, most: 1000})
	require.NoError(t, err)
	require.Equal(t, [][]float64{{50, 50}, {50, 50}}, speeds)
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, "a f 1\nb f 1\na f 3\nb f 3\na f 3\nb f 3\n", string(text))

	require.NoError(t, os.Remove(log))
	_, err = compare("d", stimulus{file: "f"}, []*program{a, b}, effort{rounds: 2, least: 1, most: 1000})
	require.NoError(t, err)
	text, err = os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("a f 1\nb f 1\n", 2), string(text))

	require.NoError(t, os.Remove(log))
	_, err = compare("d", stimulus{file: "f"}, []*program{a, b}, effort{rounds: 2, least: 1}) // no time for a second
	require.NoError(t, err)
	text, err = os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, "a f 1\nb f 1\n", string(text))

	_, err = compare("d", stimulus{file: "f"}, []*program{a, shell("c", "6")}, effort{rounds: 1, least: 1, most: 1000})
	require.EqualError(t, err, "the engines differ: a has 5 after 100 cycles, c has 6 after 100")
}
