//go:build unix

package command

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGenOnFullDisk: if the files do not fit, the directory stays unchanged.
func TestGenOnFullDisk(t *testing.T) {
	home, out := origin(t), filepath.Join(t.TempDir(), "out")
	code, _, stderr := hotline("gen", "--config", tiny, "--out", out)
	require.Zero(t, code, stderr)
	before := contents(t, filepath.Join(out, "manifest.json"))
	folder(t, map[string]string{"tiny.hcl": edited(t, contents(t, filepath.Join(home, tiny)), "banks         = 4", "banks         = 8")})

	for _, blocks := range []string{"0", "2", "20"} {
		c := start(t, "sh", "-c", `ulimit -f `+blocks+` && exec "$@"`, "sh", program(t), "gen", "--config", "tiny.hcl", "--out", out)
		code, stdout, stderr := c.end()
		require.Equal(t, exitOther, code)
		require.Empty(t, stdout)
		require.Contains(t, stderr, "file too large")
		require.Equal(t, before, contents(t, filepath.Join(out, "manifest.json")))
		require.Equal(t, []string{"out"}, names(t, filepath.Dir(out)), "nothing half done is left")
	}
}

// TestWavesOnFullDisk: if the waveforms do not fit, the run continues and prints its report, and
// the exit code reports the error.
func TestWavesOnFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.vcd")
	args := []string{"cosim", "--config", tiny, "--batches", "1"}
	_, want, _ := hotline(args...)
	c := start(t, "sh", append([]string{"-c", `ulimit -f 1000 && exec "$@"`, "sh", program(t)}, append(args, "--vcd", path)...)...)
	code, stdout, stderr := c.end()
	require.Equal(t, exitOther, code)
	require.Equal(t, want, stdout)
	require.Equal(t, "hybrid: 1 of 1 mini-batches\nhotline: 1 of 1 mini-batches\nhotline: the waveforms are incomplete: write "+path+": file too large\n", stderr)
}
