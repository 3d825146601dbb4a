package command

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// waveforms runs cosim --vcd on tiny and returns the file and its times.
func waveforms(t *testing.T, args ...string) (vcd, stderr string, times []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.vcd")
	code, stdout, stderr := hotline(append([]string{"cosim", "--config", tiny, "--batches", "1", "--vcd", path}, args...)...)
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "  sequential  bit-identical\n", "the run goes on to its end")
	vcd = contents(t, path)
	require.True(t, strings.HasSuffix(vcd, "\n"))
	return vcd, strings.ReplaceAll(stderr, path, "run.vcd"), regexp.MustCompile(`(?m)^#\d+`).FindAllString(vcd, -1)
}

// TestWaveWindow: a window can be given in cycles or as times, at 4 ns per cycle.
func TestWaveWindow(t *testing.T) {
	byCycle, _, times := waveforms(t, "--vcd-from", "12130", "--vcd-to", "12140")
	require.Len(t, times, 2*10+1, "two edges a cycle, and the end")
	require.Equal(t, []string{"#48520000", "#48560000"}, []string{times[0], times[20]})
	_, body, _ := strings.Cut(byCycle, "$enddefinitions $end\n")
	require.True(t, strings.HasPrefix(body, "#48520000\n$dumpvars\n1!\n"), body[:100])
	for _, window := range [][2]string{{"48520ns", "48560ns"}, {"48.52us", "0.04856ms"}, {"48523999ps", "48556001ps"}, {"12130", "48560000ps"}} {
		byTime, _, _ := waveforms(t, "--vcd-from", window[0], "--vcd-to", window[1])
		require.True(t, byCycle == byTime, window)
	}
	_, stderr, _ := waveforms(t, "--vcd-to", "10")
	require.Contains(t, stderr, "\nrun.vcd has the waveforms: open it with GTKWave or Surfer, or list its signals with 'hotline draw --vcd run.vcd'\n")
	none, stderr, times := waveforms(t, "--vcd-from", "1s")
	require.NotContains(t, stderr, "has the waveforms")
	require.Empty(t, times)
	require.True(t, strings.HasSuffix(none, "$enddefinitions $end\n"))
	require.Regexp(t, `\nrun\.vcd has no cycle: the run ended at cycle \d+ \([\d.]+us\), before --vcd-from 1s\n$`, stderr)
}

// TestWaveLimit: the file respects the limit, and the message states where it ends and how to
// record more.
func TestWaveLimit(t *testing.T) {
	for _, limit := range []string{"500kB", "0.5MB", "500000"} {
		vcd, stderr, times := waveforms(t, "--vcd-limit", limit)
		require.LessOrEqual(t, len(vcd), 500_000)
		require.Greater(t, len(vcd), 490_000)
		found := regexp.MustCompile(`run\.vcd ends at cycle (\d+) \(([\d.]+)us\): it has reached --vcd-limit (\S+)\. The run goes on without it; `+
			`a higher --vcd-limit, or --vcd-from and --vcd-to, record more or other cycles\n`).FindAllStringSubmatch(stderr, -1)
		require.Len(t, found, 1, stderr)
		require.Equal(t, limit, found[0][3])
		cycle := 0
		_, err := fmt.Sscan(found[0][1], &cycle)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint("#", 4000*cycle), times[len(times)-1])
	}
	_, stderr, _ := waveforms(t, "--vcd-limit", "0")
	require.NotContains(t, stderr, "limit")
}
