// Package command implements the command hotline. Package main only calls Main. A program with
// another model (sim/compiled.Build) also calls Main and reuses this compiled package.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/gen/buildcache"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/ui/format"
)

// Main runs the command line of this process and returns its exit code.
func Main() int {
	abortOnCrash()
	return execute(heed(), os.Args[1:], os.Stdout, os.Stderr)
}

// execute runs a command line and returns its exit code. Results are written to stdout, progress
// and errors to stderr. It succeeds only if all of stdout was written.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := &output{Writer: stdout}
	c := root(args)
	c.SetArgs(args)
	c.SetOut(out)
	c.SetErr(stderr)
	err := c.ExecuteContext(ctx)
	if !errors.Is(err, errReported) {
		err = interrupted(ctx, out.finish(err))
		if err != nil {
			fmt.Fprintln(stderr, "hotline:", indented(err))
		}
	}
	return exitCode(err)
}

const (
	exitFailed = 1
	exitUsage  = 2
	exitOther  = 3
)

// exitCode returns the exit code of a command's outcome.
func exitCode(err error) int {
	if err == nil {
		return 0
	}
	if e := (*exitError)(nil); errors.As(err, &e) {
		return e.code
	}
	if e := (*outfile.Error)(nil); errors.As(err, &e) {
		return outputCode(e)
	}
	if e := (*train.Unmet)(nil); errors.As(err, &e) {
		return exitUsage
	}
	return exitOther
}

// exitError carries an exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// usage marks an error that the user can fix. Errors of output files have separate codes.
func usage(err error) error {
	if output := (*outfile.Error)(nil); err == nil || errors.As(err, &output) {
		return err
	}
	return &exitError{exitUsage, err}
}

// failed marks a failed check.
func failed(err error) error { return &exitError{exitFailed, err} }

// indented returns the text of an error, indented for the end of a line. Long names and values are
// truncated.
func indented(err error) string {
	return strings.ReplaceAll(format.CutMessage(err.Error()), "\n", "\n  ")
}

// Tree returns the root command with all verbs, for documents that list them.
func Tree() *cobra.Command { return root(nil) }

// root returns the root command. args are its arguments, for verbs that start the program again.
func root(args []string) *cobra.Command {
	c := &cobra.Command{
		Use:   "hotline",
		Short: "The Hotline accelerator (ISCA 2024): Verilog, cycle model, and a training loop around it",
		Long: `Hotline is a PCIe accelerator for training recommendation models. It learns
which embedding rows are hot, and sends samples that need only hot rows to the
GPUs immediately. Meanwhile it gathers the cold rows of the other samples.

This command generates the Verilog of the accelerator, compares it with the Go
simulation, and runs the accelerator inside a simulated multi-GPU training loop
with real gradients. Start with:

  hotline cosim

Exit codes: 0 success, 1 a check failed or a result is bad, such as a training
that diverged, 2 wrong usage, configuration or data, 3 anything else, such as a
full disk, 129 hung up (SIGHUP), 130 interrupted (SIGINT, Ctrl-C), 134 crashed
(SIGABRT), 143 terminated (SIGTERM). After SIGHUP, SIGINT and SIGTERM, hotline
closes files and prints its progress. A second signal ends the command
immediately. docs/reference/command-line.md has the rules for values, input files and
signals.

Builds of simulators and models are kept in the user's cache directory
(~/.cache/hotline on Linux), at most ` + strconv.Itoa(buildcache.Limit/1_000_000) + ` MB apart from builds of the last hour.
It may be deleted at any time.`,
		Version: version(),
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Errorf("%q is not a command; see 'hotline --help'", args[0]))
			}
			return nil
		},
		RunE:                  func(c *cobra.Command, _ []string) error { return c.Help() },
		DisableFlagsInUseLine: true,
		SilenceErrors:         true,
		SilenceUsage:          true,
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage(fmt.Errorf("%w; see '%s --help'", plain(err), c.CommandPath()))
	})
	c.SetVersionTemplate("hotline {{.Version}}\n")
	c.CompletionOptions.DisableDefaultCmd = true
	c.AddCommand(
		cosimCommand(args),
		trainCommand(args),
		traceCommand(args),
		runCommand(args),
		asmCommand(),
		disasmCommand(),
		dataCommand(),
		configCommand(),
		machineCommand(),
		calibrateCommand(),
		reproduceCommand(),
		sweepCommand(),
		genCommand(),
		importCommand(args),
		verifyCommand(args),
		coverCommand(),
		synthCommand(),
		drawCommand(),
		serveCommand(args),
		injectCommand(),
		completionCommand(),
		doctorCommand(),
		initCommand(),
	)
	addQuiet(c)
	refuseEmpty(c)
	return c
}

// plain replaces the name of a Go function in a flag's error by a description of the expected
// value.
func plain(err error) error {
	var e *strconv.NumError
	if !errors.As(err, &e) {
		return err
	}
	takes := map[string]string{"ParseInt": "a whole number", "ParseUint": "a whole number from 0 on", "ParseBool": "true or false"}[e.Func]
	if errors.Is(e, strconv.ErrRange) {
		takes = "a number that is nearer to 0"
	}
	what, _, _ := strings.Cut(err.Error(), e.Error())
	return errors.New(what + "expected " + takes)
}

func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(fmt.Errorf("%q: %s takes flags only; see '%s --help'", args[0], c.Name(), c.CommandPath()))
	}
	return nil
}
