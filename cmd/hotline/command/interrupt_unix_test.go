//go:build unix

package command

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// ends lists the signals with their exit codes and messages.
var ends = []struct {
	signal syscall.Signal
	code   int
	word   string
}{{syscall.SIGINT, 130, "interrupted"}, {syscall.SIGTERM, 143, "terminated"}, {syscall.SIGHUP, 129, "hung up"}}

// TestInterruptedCosim: the waveforms end with a complete time step, the progress is reported, and
// no result is printed. The waveforms are written to a pipe, so the run cannot progress beyond the
// part that the test has read, independent of their speeds.
func TestInterruptedCosim(t *testing.T) {
	for _, c := range ends {
		path := filepath.Join(t.TempDir(), "run.vcd")
		require.NoError(t, syscall.Mkfifo(path, 0o600))
		p := start(t, program(t), "cosim", "--config", tiny, "--batches", "100", "--engine", "interp", "--vcd", path, "--vcd-from", "100us")
		file, err := os.Open(path) // returns when the program opens the pipe
		require.NoError(t, err)
		begun := make(chan struct{})
		go func() {
			defer close(begun)
			p.waitFor("hybrid: 100 of 100 mini-batches")
			p.waitFor("hotline: 10 of 100 mini-batches")
		}()
		waves := bufio.NewReader(file)
		head, tail := readUntil(t, waves, begun)
		p.interrupt(c.signal)
		rest, err := io.ReadAll(waves)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		vcd := tail + string(rest)
		code, stdout, stderr := p.end()
		require.Equal(t, c.code, code, stderr)
		require.Empty(t, stdout)
		require.Regexp(t, `\nhotline: `+c.word+`
  hybrid: 100 mini-batches, 3,200 inputs, loss 0\.\d{6}
  hotline: \d+ mini-batches, [\d,]+ inputs, loss 0\.\d{6}
  the parameters were not compared
$`, stderr)
		require.Contains(t, head, "$enddefinitions $end\n#100000000\n$dumpvars\n")
		require.Regexp(t, `\n0!\n#\d+\n$`, vcd[len(vcd)-100:])
	}
}

// readUntil reads lines until an event. It returns the lines of the first megabyte, and the last
// line.
func readUntil(t *testing.T, r *bufio.Reader, event <-chan struct{}) (head, last string) {
	var first strings.Builder
	for {
		line, err := r.ReadString('\n')
		require.NoError(t, err)
		if first.Len() < 1_000_000 {
			first.WriteString(line)
		}
		select {
		case <-event:
			return first.String(), line
		default:
		}
	}
}

// TestInterruptedBaseline: a system that was not started is reported as such. With one core it
// waits for the first system.
func TestInterruptedBaseline(t *testing.T) {
	p := start(t, "env", "GOMAXPROCS=1", program(t), "cosim", "--config", tiny, "--batches", "20000", "--engine", "interp")
	p.waitFor("hybrid: 2000 of 20000 mini-batches")
	p.interrupt(syscall.SIGTERM)
	code, stdout, stderr := p.end()
	require.Equal(t, 143, code, stderr)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "\n  hotline: no mini-batch\n")
}

// TestInterruptedInput: a signal ends the command while it reads inputs from a pipe without a
// writer.
func TestInterruptedInput(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for _, c := range ends {
		p := start(t, program(t), "cosim", "--config", tiny, "--data", "criteo:"+pipe, "--index", "hash:100")
		w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // returns once the pipe is being read
		require.NoError(t, err)
		p.interrupt(c.signal)
		code, stdout, stderr := p.end()
		require.NoError(t, w.Close())
		require.Equal(t, c.code, code)
		require.Empty(t, stdout)
		require.Contains(t, stderr, "hotline: "+c.word+"\n")
	}
}

// TestInterruptedVerify: a terminal also sends the signal to the Verilator process, which must not
// fail.
func TestInterruptedVerify(t *testing.T) {
	tools.Need(t, "verilator", "make", "g++")
	for _, c := range ends {
		p := start(t, program(t), "verify", "--config", tiny, "--engine", "interp", "--stimulus", "random", "--cycles", "2000000")
		p.waitFor("random: 200704 of 2000000 cycles")
		p.interrupt(c.signal)
		code, stdout, stderr := p.end()
		require.Equal(t, c.code, code, stderr)
		require.Empty(t, stdout)
		require.Regexp(t, `\nhotline: `+c.word+`\n  compared: \d+ cycles of random inputs, 0 of recorded ones; differences: 0\n$`, stderr)
	}
}

// TestSecondSignal: a second signal ends a command immediately, even if it is blocked because its
// output is not read.
func TestSecondSignal(t *testing.T) {
	tools.Need(t, "verilator", "make", "g++")
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	fill(t, w)
	p := begin(t, w, program(t), "verify", "--config", tiny, "--engine", "interp", "--stimulus", "random", "--cycles", "10")
	require.NoError(t, w.Close())
	p.waitFor("random: 10 of 10 cycles")
	p.interrupt(syscall.SIGTERM)
	p.interrupt(syscall.SIGINT)
	code, _, stderr := p.end()
	require.Contains(t, []int{130, 143}, code, "whichever comes second")
	require.NotContains(t, stderr, "hotline: ")
}

// fill fills a pipe.
func fill(t *testing.T, w *os.File) {
	conn, err := w.SyscallConn()
	require.NoError(t, err)
	require.NoError(t, conn.Write(func(fd uintptr) bool {
		for err == nil {
			_, err = syscall.Write(int(fd), make([]byte, 1))
		}
		return true
	}))
	require.ErrorIs(t, err, syscall.EAGAIN)
}

// TestIgnoredSignals: the parent process may make the command ignore Ctrl-C, like shells for
// background jobs, or the end of the terminal, like nohup.
func TestIgnoredSignals(t *testing.T) {
	p := start(t, "sh", "-c", `trap "" INT HUP && exec "$@"`, "sh", program(t), "cosim", "--config", tiny)
	p.waitFor("hybrid: 1 of 5 mini-batches")
	p.interrupt(syscall.SIGINT)
	p.interrupt(syscall.SIGHUP)
	code, stdout, _ := p.end()
	require.Zero(t, code)
	require.Contains(t, stdout, "  sequential  bit-identical\n")
}

// TestInterruptedReproduce prints the rows that are done, counts the others, and keeps what was found
// for the next run. A measure that never looks at the context does not delay that.
func TestInterruptedReproduce(t *testing.T) {
	program := program(t)
	what := []string{"reproduce", "elrec/table-iii", "cdlrm/figure-1b", "scratchpipe", "hotline"}
	for _, c := range ends {
		cache := t.TempDir()
		t.Setenv("XDG_CACHE_HOME", cache)
		p := start(t, program, what...)
		for !strings.HasPrefix(p.line(), "reproduce: ") {
		}
		p.interrupt(c.signal)
		code, stdout, stderr := p.end()
		require.Equal(t, c.code, code, stderr)
		lines := regexp.MustCompile(`\nhotline: ` + c.word + `\n  (\d+) of (\d+) rows are done and kept: the same command continues with the others\n$`).FindStringSubmatch(stderr)
		require.Len(t, lines, 3, stderr)
		require.NotEqual(t, lines[1], lines[2])
		kept, err := filepath.Glob(filepath.Join(cache, "hotline", "reproduce", "*.json"))
		require.NoError(t, err)
		done, err := strconv.Atoi(lines[1])
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(kept), done, "one may have ended since")
		require.True(t, strings.HasPrefix(stdout, "# The papers, on machine v100\n"))
		require.NotContains(t, stdout, "takes minutes: --all", "a row that is not done")
		require.Regexp(t, `\| (holds|differs|calibration|selection)(, -?[0-9.]+x)? \|`, stdout)
	}
}

// TestOutcomeOfSignals: after a signal, the exit code reports the signal, whatever the command
// does.
func TestOutcomeOfSignals(t *testing.T) {
	broken := errors.New("broken")
	ctx, cancel := context.WithCancelCause(context.Background())
	require.Equal(t, broken, interrupted(ctx, broken))
	require.NoError(t, interrupted(ctx, nil))
	cancel(signalled{os.Interrupt})
	require.EqualError(t, interrupted(ctx, nil), "interrupted")
	require.EqualError(t, interrupted(ctx, failed(broken)), "interrupted\nbroken")
	for _, err := range []error{nil, broken, failed(broken), context.Cause(ctx)} {
		require.Equal(t, 130, exitCode(interrupted(ctx, err)))
	}
}
