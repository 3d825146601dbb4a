//go:build unix

package command

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestModel builds programs in a separate cache, but reuses go's build cache.
func TestModel(t *testing.T) {
	built, err := exec.Command("go", "env", "GOCACHE").Output()
	require.NoError(t, err)
	t.Setenv("GOCACHE", strings.TrimSpace(string(built)))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Run("built", modelIsBuilt)
	t.Run("takes over", takesOver)
	t.Run("gets signals", getsSignals)
}

// takesOver starts the real program. The program that it builds receives the signals, determines
// the exit code, and reports the version that it was built from.
func takesOver(t *testing.T) {
	again := func(args ...string) *process {
		p := start(t, program(t), append([]string{"cosim", "--config", tiny, "--engine", engineCompiled}, args...)...)
		return p
	}
	for _, c := range ends {
		p := again("--batches", "20000", "--vcd", filepath.Join(t.TempDir(), "run.vcd"), "--vcd-to", "1000")
		p.waitFor("compiled model of tiny: built before")
		p.waitFor("hybrid: 2000 of 20000 mini-batches")
		p.interrupt(c.signal)
		code, stdout, stderr := p.end()
		require.Equal(t, c.code, code)
		require.Empty(t, stdout)
		require.Contains(t, stderr, "\nhotline: "+c.word+"\n  hybrid: ")
	}
	code, stdout, stderr := again().end()
	require.Zero(t, code, stderr)
	require.True(t, strings.HasPrefix(stderr, "compiled model of tiny: built before\n"), stderr)
	require.Contains(t, stdout, "engine compiled, ")

	code, _, _ = again("--vcd", "none/run.vcd").end()
	require.Equal(t, exitUsage, code)

	models, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "hotline", "command-*", "command"))
	require.NoError(t, err)
	require.Len(t, models, 1)
	t.Setenv(versionVariable, "v9, told")
	_, stdout, _ = start(t, models[0], "--version").end()
	require.Equal(t, "hotline v9, told\n", stdout)
	_, stdout, _ = start(t, program(t), "--version").end()
	require.NotContains(t, stdout, "v9", "it knows better")
}

// getsSignals covers systems where another program cannot replace the process: signals are forwarded.
func getsSignals(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	r, w := io.Pipe()
	code, done := 0, make(chan struct{})
	go func() {
		defer close(done)
		code = execute(ctx, []string{"cosim", "--config", tiny, "--engine", engineCompiled, "--batches", "20000"}, io.Discard, w)
		w.Close()
	}()
	p := &process{t: t, stderr: bufio.NewReader(r)}
	p.waitFor("hybrid: 2000 of 20000 mini-batches")
	cancel(signalled{syscall.SIGTERM})
	_, err := io.Copy(&p.log, p.stderr)
	require.NoError(t, err)
	<-done
	require.Equal(t, 143, code)
	require.Contains(t, p.log.String(), "\nhotline: terminated\n  hybrid: ")
	require.Equal(t, 1, strings.Count(p.log.String(), "hotline: terminated"), "said once")
}
