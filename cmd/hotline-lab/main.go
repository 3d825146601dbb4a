// Command hotline-lab runs the checks that take too long for the tests, and the measurements that
// the documents report: random designs and commands, fault injection, mutants, benchmarks,
// accuracy. The programs in scripts call its verbs.
//
// Exit codes: 0 success, 2 wrong usage, 1 any other failure.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

func main() { os.Exit(execute(os.Args[1:], os.Stdout, os.Stderr)) }

// execute runs a command line and returns its exit code.
func execute(args []string, stdout, stderr io.Writer) int {
	c := root()
	c.SetArgs(args)
	c.SetOut(stdout)
	c.SetErr(stderr)
	verb, err := c.ExecuteC()
	switch {
	case err == nil:
		return 0
	case err == errFailed:
		return 1
	}
	fmt.Fprintf(stderr, "%s: %v\n", verb.Name(), err)
	if errors.As(err, new(usageError)) {
		return 2
	}
	return 1
}

// errFailed reports the failure of a verb that has already printed its findings.
var errFailed = errors.New("failed")

// verdict returns err, or errFailed if err is nil and ok is false.
func verdict(ok bool, err error) error {
	if err == nil && !ok {
		return errFailed
	}
	return err
}

// usageError marks an error in the command line.
type usageError struct{ error }

func usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

func root() *cobra.Command {
	c := &cobra.Command{
		Use:           "hotline-lab",
		Short:         "Campaigns and measurements of the Hotline accelerator",
		Args:          func(c *cobra.Command, args []string) error { return usage(cobra.NoArgs(c, args)) },
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage(err) })
	c.CompletionOptions.DisableDefaultCmd = true
	c.AddCommand(accuracyVerb(), arithmeticVerb(), benchVerb(), designsVerb(), faultsVerb(), fidelityVerb(), gatesVerb(), initramfsVerb(), levelsVerb(), manpagesVerb(), mutantsVerb(), papersVerb(), picturesVerb(), randomCommandsVerb(), randomDesignsVerb(),
		resetsVerb(), trainingsVerb())
	return c
}

// verb returns a command that takes flags only and runs if check accepts their values.
func verb(name, short string, check func() error, run func(out, log io.Writer) error) *cobra.Command {
	return &cobra.Command{
		Use:   name,
		Short: short,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Errorf("argument %q, expected only flags", args[0]))
			}
			return usage(check())
		},
		RunE: func(c *cobra.Command, _ []string) error { return run(c.OutOrStdout(), c.ErrOrStderr()) },
	}
}

// anything accepts all flag values.
func anything() error { return nil }
