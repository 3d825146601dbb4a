package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"

	"github.com/spf13/cobra"
)

// errReported says that another program has done the work and printed how it
// ended.
var errReported = errors.New("done by another program")

// again runs a program with these arguments in place of this one. Where the
// system allows, it takes over the process, so that terminal, signals and exit
// code are its own, and does not return. Otherwise the error is an exitError
// around errReported with its exit code, which may be 0.
func again(cmd *cobra.Command, program string, args []string) error {
	stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
	if stdout == io.Writer(os.Stdout) && stderr == io.Writer(os.Stderr) {
		if err := become(program, args); !errors.Is(err, errors.ErrUnsupported) {
			return fmt.Errorf("%s: %w", program, err)
		}
	}
	interrupts := make(chan os.Signal, 1) // which reach the program as well; it decides
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	c := exec.Command(program, args...)
	c.Stdin, c.Stdout, c.Stderr = cmd.InOrStdin(), stdout, stderr
	err := c.Run()
	if c.ProcessState == nil || c.ProcessState.ExitCode() < 0 {
		return fmt.Errorf("%s: %w", program, err)
	}
	return &exitError{c.ProcessState.ExitCode(), errReported}
}
