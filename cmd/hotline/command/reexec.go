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

// errReported says that another program has done the work and printed how it
// ended.
var errReported = errors.New("done by another program")

// reexec runs a program with these arguments in place of this one. Where the
// system allows, it takes over the process, so that terminal, signals and exit
// code are its own, and does not return. Otherwise, and if the program is in a spare that
// must be removed after it, the error is an exitError around errReported with its exit code,
// which may be 0.
func reexec(cmd *cobra.Command, program string, args []string, s *spare) error {
	env := append(os.Environ(), versionVariable+"="+version())
	if s.dir != "" {
		env = append(env, spareVariable+"="+s.dir)
	}
	stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
	if o, ok := stdout.(*output); ok {
		stdout = o.Writer
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

// pass hands a signal on to a program, which decides what it means. An interrupt
// comes from the terminal and has reached the program as well.
func pass(cause error, to *os.Process) error {
	if s := (signalled{}); errors.As(cause, &s) && s.signal != os.Interrupt {
		return to.Signal(s.signal)
	}
	return nil
}
