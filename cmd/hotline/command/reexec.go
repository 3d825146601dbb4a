package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/spf13/cobra"
)

// errReported reports that another program has done the work and printed the outcome.
var errReported = errors.New("done by another program")

// reexec runs a program with these arguments instead of this one. Where the system allows, the
// program replaces this process, so that it owns terminal, signals and exit code, and reexec does
// not return. Otherwise, reexec starts a child process, and returns an exitError with its exit
// code, which may be 0, and errReported. The same holds if the program is in a spare that must be
// removed afterwards.
func reexec(cmd *cobra.Command, program string, args []string, s *spare) error {
	env := append(os.Environ(), versionVariable+"="+version())
	if s.dir != "" {
		env = append(env, spareVariable+"="+s.dir)
	}
	stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
	if o, ok := stdout.(*output); ok {
		stdout = o.Writer
	}
	if q, ok := stderr.(quieted); ok {
		stderr = q.errors
	}
	if stdout == io.Writer(os.Stdout) && stderr == io.Writer(os.Stderr) && !s.own {
		if err := replaceProcess(program, args, env); !errors.Is(err, errors.ErrUnsupported) {
			return fmt.Errorf("%s: %w", program, err)
		}
	}
	c := exec.CommandContext(cmd.Context(), program, args...)
	c.Cancel = func() error { return pass(context.Cause(cmd.Context()), c.Process) }
	c.Stdin, c.Stdout, c.Stderr, c.Env = cmd.InOrStdin(), stdout, stderr, env
	err := c.Run()
	if c.ProcessState == nil || c.ProcessState.ExitCode() < 0 {
		return fmt.Errorf("%s: %w", program, err)
	}
	return &exitError{c.ProcessState.ExitCode(), errReported}
}

// pass forwards a signal to a program, which handles it. An interrupt is not forwarded, because the
// terminal has also sent it to the program.
func pass(cause error, to *os.Process) error {
	if s := (signalled{}); errors.As(cause, &s) && s.signal != os.Interrupt {
		return to.Signal(s.signal)
	}
	return nil
}
