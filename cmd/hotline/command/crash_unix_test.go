//go:build unix

package command

import (
	"os"
	"os/exec"
	"runtime/debug"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// crashVariable makes the test binary run the command, and then crash.
const crashVariable = "HOTLINE_TEST_CRASH"

// crashes lists the ways in which a Go program can crash.
var crashes = map[string]func(){
	"panic":             func() { panic("deliberate") },
	"goroutine":         func() { go panic("deliberate"); select {} },
	"nil pointer":       func() { var p *int; *p = 1 },
	"stack overflow":    func() { debug.SetMaxStack(1 << 20); kept = make([]byte, overflow(0)) },
	"out of memory":     func() { kept = make([]byte, 1<<46) },
	"concurrent writes": concurrentWrites,
}

var kept []byte

// overflow overflows the stack.
func overflow(n int) int {
	if n < 0 {
		return 0
	}
	return overflow(n+1) + 1
}

func concurrentWrites() {
	m := map[int]int{}
	for range 8 {
		go func() {
			for i := 0; ; i++ {
				m[i%4] = i
			}
		}()
	}
	select {}
}

// crash runs the test binary as a command that crashes. It does not return.
func crash(how string) {
	if os.Getenv("HOTLINE_TEST_BARE") == "" {
		os.Args = []string{"hotline", "--version"}
		Main()
	}
	crashes[how]()
}

// TestCrash: a crash ends the process with SIGABRT, which shells report as 134, unlike wrong usage.
// Without the command, the exit code of Go is equal to the code of wrong usage.
func TestCrash(t *testing.T) {
	t.Chdir(t.TempDir()) // for core files
	program, err := os.Executable()
	require.NoError(t, err)
	ended := func(how string, env ...string) *os.ProcessState {
		c := exec.Command(program)
		c.Env = append(append(os.Environ(), crashVariable+"="+how), env...)
		out, _ := c.CombinedOutput() // the process state contains the result
		require.Regexp(t, "panic: |fatal error: ", string(out))
		return c.ProcessState
	}
	for how := range crashes {
		require.Equal(t, syscall.SIGABRT, ended(how).Sys().(syscall.WaitStatus).Signal(), how)
	}
	require.Equal(t, exitUsage, ended("panic", "HOTLINE_TEST_BARE=1").ExitCode(), "Go's own code is that of wrong usage")
}

// TestQuit: SIGQUIT, used to inspect a hanging program, also differs from wrong usage.
func TestQuit(t *testing.T) {
	tools.Need(t, "verilator", "make", "g++")
	program := program(t)
	t.Chdir(t.TempDir())
	p := start(t, program, "verify", "--engine", "interp", "--stimulus", "random", "--cycles", "400000")
	p.waitFor("random: 40960 of 400000 cycles")
	p.interrupt(syscall.SIGQUIT)
	code, _, stderr := p.end()
	require.Equal(t, -1, code)
	require.Equal(t, syscall.SIGABRT, p.ProcessState.Sys().(syscall.WaitStatus).Signal())
	require.Contains(t, stderr, "SIGQUIT: quit")
}
