//go:build unix

package command

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// built is the real program, built once.
var built struct {
	once sync.Once
	dir  string
	err  error
}

// catchHangUp makes programs that tests start end on SIGHUP, even if nohup started the tests:
// a program inherits an ignored signal, and not a caught one.
func catchHangUp() {
	if signal.Ignored(syscall.SIGHUP) {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
}

func TestMain(m *testing.M) {
	if how := os.Getenv(crashVariable); how != "" {
		crash(how)
	}
	dir, err := os.MkdirTemp("", "hotline-test-")
	if err != nil {
		panic(err)
	}
	built.dir = dir
	catchHangUp()
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// program builds the real program and returns its path.
func program(t *testing.T) string {
	built.once.Do(func() {
		c := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(built.dir, "hotline"), command) // with the version of tests
		c.Dir = origin(t)
		out, err := c.CombinedOutput()
		if err != nil {
			built.err = errors.New(string(out))
		}
	})
	require.NoError(t, built.err)
	return filepath.Join(built.dir, "hotline")
}

// process is a running program.
type process struct {
	*exec.Cmd
	t      *testing.T
	stdout strings.Builder
	stderr *bufio.Reader
	log    strings.Builder // the part of stderr that was read
}

// start starts a program in a separate process group.
func start(t *testing.T, name string, args ...string) *process {
	return begin(t, nil, name, args...)
}

// begin is like start, with a file for stdout. If stdout is nil, end returns the output.
func begin(t *testing.T, stdout *os.File, name string, args ...string) *process {
	p := &process{Cmd: exec.Command(name, args...), t: t}
	p.Stdout = &p.stdout
	if stdout != nil {
		p.Stdout = stdout
	}
	p.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stderr, err := p.StderrPipe()
	require.NoError(t, err)
	p.stderr = bufio.NewReader(stderr)
	require.NoError(t, p.Start())
	return p
}

// waitFor reads stderr until a line arrives. A progress line may end with times, which depend on
// the speed of the machine.
func (p *process) waitFor(line string) {
	p.t.Helper()
	for got := p.line(); got != line+"\n" && !strings.HasPrefix(got, line+", "); got = p.line() {
	}
}

// line reads the next line of stderr.
func (p *process) line() string {
	p.t.Helper()
	got, err := p.stderr.ReadString('\n')
	p.log.WriteString(got)
	require.NoError(p.t, err, p.log.String())
	return got
}

// interrupt sends a signal to the program and its children, like a terminal.
func (p *process) interrupt(s syscall.Signal) {
	require.NoError(p.t, syscall.Kill(-p.Process.Pid, s))
}

// end waits for the end of the program. The code is -1 if a signal ended it.
func (p *process) end() (code int, stdout, stderr string) {
	_, err := io.Copy(&p.log, p.stderr)
	require.NoError(p.t, err)
	_ = p.Wait() // the exit code contains the result
	return p.ProcessState.ExitCode(), p.stdout.String(), p.log.String()
}
