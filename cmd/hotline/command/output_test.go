package command

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// everyVerb returns command lines that print results: all verbs, all formats.
func everyVerb(t *testing.T) map[string][]string {
	out := filepath.Join(t.TempDir(), "out")
	all := map[string][]string{}
	for _, line := range []string{
		"", "--help", "--version", "help gen", "cosim --help", "gen --help", "verify --help", "config",
		"cosim --config " + tiny + " --batches 1", "cosim --config " + tiny + " --batches 1 --json",
		"gen --config " + tiny + " --out " + out, "import --top counter " + counter,
		"verify --config " + tiny + " --engine interp --cycles 10 --stimulus random", "verify --config " + tiny + " --engine interp --cycles 10 --stimulus random --json",
	} {
		all[strings.ReplaceAll(line, out, "DIR")] = strings.Fields(line)
	}
	return all
}

// needed skips the test of a command line that runs Verilator or Yosys with -short.
func needed(t *testing.T, args []string) {
	t.Helper()
	if len(args) == 0 || slices.Contains(args, "--help") {
		return
	}
	switch args[0] {
	case "verify":
		tools.Need(t, "verilator", "make", "g++")
	case "import":
		tools.Need(t, "yosys")
	}
}

// brittle is a writer that fails beyond its capacity, or on closing.
type brittle struct {
	room int
	err  error
}

var errFull = errors.New("disk full")

func (b *brittle) Write(p []byte) (int, error) {
	if b.room -= len(p); b.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func (b *brittle) Close() error { return b.err }

// TestFullDisk: if a result is partly lost, at the end or on closing, no verb succeeds.
func TestFullDisk(t *testing.T) {
	for name, args := range everyVerb(t) {
		t.Run(name, func(t *testing.T) {
			needed(t, args)
			_, stdout, _ := hotline(args...)
			require.NotEmpty(t, stdout)
			for _, out := range []*brittle{{room: len(stdout) - 1}, {room: len(stdout), err: errFull}} {
				var log strings.Builder
				require.Equal(t, exitOther, execute(context.Background(), args, out, &log), "%+v", out)
				require.Equal(t, 1, strings.Count(log.String(), "disk full\n"), log.String())
			}
		})
	}
}

// TestFullDevice repeats TestFullDisk with /dev/full.
func TestFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		return // not Linux
	}
	for name, args := range everyVerb(t) {
		t.Run(name, func(t *testing.T) {
			needed(t, args)
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			require.NoError(t, err)
			var log strings.Builder
			require.Equal(t, exitOther, execute(context.Background(), args, full, &log))
			require.Contains(t, log.String(), "no space left on device\n")
		})
	}
	t.Run("waveforms", func(t *testing.T) {
		code, stdout, stderr := hotline("cosim", "--config", tiny, "--batches", "1", "--vcd", "/dev/full")
		require.Equal(t, exitOther, code)
		require.Empty(t, stdout, "it does not begin")
		require.Equal(t, "hotline: write /dev/full: no space left on device\n", stderr)
	})
}

// TestOutcomeAndFullDisk: a lost result does not hide the outcome of a check, and an error is not
// reported as a lost result.
func TestOutcomeAndFullDisk(t *testing.T) {
	broken := errors.New("broken")
	o := &output{Writer: &brittle{err: errFull}}
	require.EqualError(t, o.finish(broken), "broken")
	_, err := o.Write([]byte("x"))
	require.Equal(t, errFull, err)
	require.EqualError(t, o.finish(failed(broken)), "broken\nthe result is not written: disk full")
	require.Equal(t, exitFailed, exitCode(o.finish(failed(broken))))
	require.Equal(t, errFull, o.finish(errFull), "said once")
}
