// Command hotline generates, verifies and co-simulates the Hotline accelerator.
//
// Exit codes: 0 success; 1 the check that the command makes failed (parameters
// differ, engines differ); 2 wrong usage, configuration or data; 3 anything
// else that kept it from finishing.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

const (
	exitFailed = 1
	exitUsage  = 2
	exitOther  = 3
)

// exitError carries an exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// usage marks an error as the user's to mend.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{exitUsage, err}
}

// failed marks the outcome of a check.
func failed(err error) error { return &exitError{exitFailed, err} }

func main() {
	err := root().Execute()
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "hotline:", err)
	code := exitOther
	if e := (*exitError)(nil); errors.As(err, &e) {
		code = e.code
	}
	os.Exit(code)
}

func root() *cobra.Command {
	c := &cobra.Command{
		Use:   "hotline",
		Short: "The Hotline accelerator (ISCA 2024): Verilog, cycle model, and a training loop around it",
		Long: `Hotline is a PCIe accelerator for training recommendation models. It learns
which embedding rows are hot, lets the GPUs start at once on the inputs that
need only those, and gathers the cold rows of the others meanwhile.

This command generates its Verilog, checks that against the Go simulation, and
runs both inside a simulated multi-GPU training loop with real gradients.

Exit codes: 0 success, 1 the check failed, 2 wrong usage, configuration or
data, 3 anything else.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage(fmt.Errorf("%w; see '%s --help'", err, c.CommandPath()))
	})
	c.CompletionOptions.DisableDefaultCmd = true
	c.AddCommand(cosimCommand(), genCommand(), verifyCommand())
	return c
}
